//! What the attributes of the network are, and how they become columns again.

use std::sync::Arc;

use lookalike_model::Conditional;
use lookalike_schema::{AttrId, BitCode, Derived, Domain, Grouping, Schema};

use super::NAME;
use super::params::{Encoding, PrivBayesParams};
use crate::MethodError;

/// The most cells of the table that turns bits into codes.
const MOST_DECODED: u64 = 1 << 22;

/// The attributes of the network, in the schema's order.
#[derive(Clone, Debug)]
pub(crate) struct Nodes {
    /// As the curator knows them, once it has derived what is to be derived.
    pub attributes: Vec<AttrId>,
    /// The bits, for the curator: the first gets the attribute after the schema's last.
    pub derived: Vec<Derived>,
    /// How each column follows from its bits; empty when the attributes are the columns.
    decoded: Vec<Decoded>,
}

/// A column that follows from its bits.
#[derive(Clone, Debug)]
struct Decoded {
    column: AttrId,
    bits: Vec<AttrId>,
    /// What the bits are the number of.
    bins: Grouping,
}

impl Nodes {
    /// The columns, or their bits; columns with an order are cut into bins first. Refuses bits of a
    /// column with too many codes, from the schema alone.
    pub fn new(params: &PrivBayesParams, schema: &Schema) -> Result<Self, MethodError> {
        let columns = schema.domain().attributes();
        if params.encoding == Encoding::Vanilla {
            return Ok(Self { attributes: columns.collect(), derived: Vec::new(), decoded: Vec::new() });
        }
        let own = schema.domain().len();
        let mut nodes = Self { attributes: Vec::new(), derived: Vec::new(), decoded: Vec::new() };
        for column in columns {
            let (size, name) = (schema.domain().size(column), &schema.column(column).name);
            let bins = match schema.codec(column).equal_bins(params.bins) {
                Some(bins) => bins,
                None => Grouping::new((0..size).collect()).map_err(|_| too_wide(name))?,
            };
            let code = BitCode::new(bins.groups());
            if u64::from(size) << code.bits() > MOST_DECODED {
                return Err(too_wide(name));
            }
            let mut bits = Vec::new();
            for bit in code.derived(column, name) {
                bits.push(AttrId((own + nodes.derived.len()) as u32));
                let grouping = bins.then(&bit.grouping).map_err(|_| too_wide(name))?;
                nodes.derived.push(Derived { grouping: Arc::new(grouping), ..bit });
            }
            nodes.attributes.extend(&bits);
            nodes.decoded.push(Decoded { column, bits, bins });
        }
        Ok(nodes)
    }

    /// The other bits of an attribute's column. Everybody knows that these hang together.
    pub fn kin(&self, attribute: AttrId) -> Vec<AttrId> {
        let own = self.decoded.iter().find(|decoded| decoded.bits.contains(&attribute));
        own.map_or(Vec::new(), |own| own.bits.iter().copied().filter(|&bit| bit != attribute).collect())
    }

    /// The tables that nothing was asked for: attributes of one code, and columns that follow from
    /// their bits.
    pub fn untouched(&self, domain: &Domain) -> Vec<Conditional> {
        let single = |&child: &AttrId| Conditional { child, refinement: None, parents: Vec::new(), weights: vec![1.0] };
        let singles = self.attributes.iter().filter(|&&node| domain.size(node) == 1).map(single);
        singles.chain(self.decoded.iter().map(Decoded::table)).collect()
    }
}

impl Decoded {
    /// Each pattern of bits: evenly the codes of its bin, or of any bin where no bin has that
    /// number.
    fn table(&self) -> Conditional {
        let groups = self.bins.groups() as usize;
        let mut members = vec![0.0; groups];
        self.bins.group_of().iter().for_each(|&group| members[group as usize] += 1.0);
        let mut weights = Vec::with_capacity(self.bins.codes() << self.bits.len());
        for pattern in 0..1usize << self.bits.len() {
            let weight = |&group: &u32| {
                let group = group as usize;
                if pattern < groups && pattern != group { 0.0 } else { 1.0 / members[group] }
            };
            weights.extend(self.bins.group_of().iter().map(weight));
        }
        let parents = self.bits.iter().map(|&bit| (bit, None)).collect();
        Conditional { child: self.column, refinement: None, parents, weights }
    }
}

fn too_wide(name: &str) -> MethodError {
    MethodError::Setting {
        what: format!("method {NAME}: encoding = binary does not take as many codes as column {name:?} has"),
        help: "set encoding=vanilla, or give the column fewer values or bins".into(),
    }
}
