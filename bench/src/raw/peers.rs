//! Other tools on a raw table, each in a process of its own, through `peers/peers.py`.

use std::process::Command;

use anyhow::Result;
use lookalike_evaluate::raw::RawTable;
use lookalike_schema::{Codec, CodecKind};
use serde_json::{Value, json};

use super::calendar::date_of;
use super::tables::{OpenRaw, read_cells};
use crate::commands::watched;
use crate::measure::peers::SCRIPT;

/// The tools that there is an adapter for.
pub const PEERS: [&str; 3] = ["dpmm", "dpsynth", "smartnoise"];

/// One run of a tool. Its own interpreter is `$PYTHON_NAME` (such as `PYTHON_DPMM`), since tools
/// need different versions of the same packages; else `$PYTHON`, else `python3`.
pub struct PeerTool<'a> {
    /// Which tool.
    pub name: &'a str,
    /// The table.
    pub table: &'a OpenRaw,
    /// The total epsilon.
    pub epsilon: f64,
    /// The total delta.
    pub delta: f64,
    /// Seconds that it may take.
    pub seconds: f64,
}

impl PeerTool<'_> {
    /// Its synthetic rows, as many as the table has.
    pub fn rows(&self) -> Result<RawTable> {
        let folder = tempfile::tempdir()?;
        let (facts, out) = (folder.path().join("facts.json"), folder.path().join("out.csv"));
        std::fs::write(&facts, self.facts().to_string())?;
        let named = format!("PYTHON_{}", self.name.to_uppercase());
        let python = std::env::var(named).or_else(|_| std::env::var("PYTHON")).unwrap_or_else(|_| "python3".into());
        let mut command = Command::new(python);
        command.args(["-c", SCRIPT, "raw", self.name]).arg(&self.table.csv).arg(&facts).arg(&out);
        command.args([self.epsilon.to_string(), self.delta.to_string()]);
        watched(command, Some(self.seconds))?.map_err(anyhow::Error::msg)?;
        read_cells(&out, &self.table.schema)
    }

    /// The public facts of the columns.
    fn facts(&self) -> Value {
        let schema = &self.table.schema;
        let tokens = &schema.text_rules().missing_tokens;
        let columns = schema.domain().attributes().map(|attribute| {
            let mut facts = column_facts(schema.codec(attribute));
            facts["name"] = json!(schema.column(attribute).name);
            facts["missing"] = json!(schema.codec(attribute).missing_code().is_some());
            facts
        });
        json!({ "missing_tokens": tokens, "columns": columns.collect::<Vec<_>>() })
    }
}

fn column_facts(codec: &Codec) -> Value {
    let day = |days: i64| date_of(days as f64).to_string();
    match codec.kind() {
        CodecKind::Category(words) => json!({ "kind": "category", "values": words.values() }),
        CodecKind::Boolean(words) => json!({ "kind": "category", "values": words.words() }),
        CodecKind::Integer(axis) => json!({ "kind": "integer", "low": axis.low(), "high": axis.high() }),
        CodecKind::Number(axis) => {
            json!({ "kind": "number", "low": axis.low(), "high": axis.high(), "decimals": axis.decimals() })
        }
        CodecKind::Date(axis, _) => json!({ "kind": "date", "low": day(axis.low()), "high": day(axis.high()) }),
        CodecKind::DateTime(axis, _) => {
            let [low, high] = [axis.low(), axis.high()].map(|seconds| day(seconds.div_euclid(86_400)));
            json!({ "kind": "datetime", "low": low, "high": high })
        }
    }
}
