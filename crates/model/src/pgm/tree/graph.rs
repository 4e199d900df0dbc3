//! Which attributes interact, as rows of bits, and how to eliminate them one by one.

/// In which order attributes are eliminated. Attributes whose neighbours all interact go first
/// under every rule, since that adds nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heuristic {
    /// The attribute whose elimination ties the fewest new pairs together.
    MinFill,
    /// The attribute whose elimination makes the smallest table.
    MinSize,
    /// The attribute whose new pairs have the fewest cells.
    WeightedFill,
}

/// An undirected graph.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    words: usize,
    vertices: usize,
    rows: Vec<u64>,
}

/// What elimination leaves: the maximal cliques of the filled graph, and how many cells they have
/// together.
#[derive(Clone, Debug, Default)]
pub(super) struct Elimination {
    pub cliques: Vec<Vec<usize>>,
    pub cells: f64,
}

/// The places of the bits that are set.
fn ones(row: &[u64]) -> impl Iterator<Item = usize> + '_ {
    row.iter().enumerate().flat_map(|(word, &bits)| {
        std::iter::successors((bits != 0).then_some(bits), |rest| {
            let next = rest & (rest - 1);
            (next != 0).then_some(next)
        })
        .map(move |rest| word * 64 + rest.trailing_zeros() as usize)
    })
}

impl Graph {
    pub fn new(vertices: usize) -> Self {
        let words = vertices.div_ceil(64).max(1);
        Self { words, vertices, rows: vec![0; words * vertices] }
    }

    fn row(&self, vertex: usize) -> &[u64] {
        &self.rows[vertex * self.words..(vertex + 1) * self.words]
    }

    /// Makes all given vertices neighbours of each other.
    pub fn connect(&mut self, vertices: &[usize]) {
        for &one in vertices {
            for &two in vertices.iter().filter(|&&two| two != one) {
                self.rows[one * self.words + two / 64] |= 1 << (two % 64);
            }
        }
    }

    /// Eliminates every vertex. `sizes` are the vertices' numbers of codes.
    pub fn eliminate(self, sizes: &[f64], heuristic: Heuristic) -> Elimination {
        // Without a limit there is always an answer.
        self.eliminate_within(sizes, heuristic, f64::INFINITY).unwrap_or_default()
    }

    /// The same, given up as soon as there are more than `most` cells.
    pub fn eliminate_within(mut self, sizes: &[f64], heuristic: Heuristic, most: f64) -> Option<Elimination> {
        let mut scores = vec![(0.0, 0.0); self.vertices];
        let mut dirty = vec![true; self.vertices];
        let mut left: Vec<usize> = (0..self.vertices).collect();
        // Cliques whose earliest remaining vertex is not known yet: (bits, length).
        let mut open: Vec<(Vec<u64>, usize)> = Vec::new();
        let mut out = Elimination { cliques: Vec::new(), cells: 0.0 };
        while !left.is_empty() {
            let mut best = 0;
            for (place, &vertex) in left.iter().enumerate() {
                if dirty[vertex] {
                    scores[vertex] = self.score(vertex, sizes, heuristic);
                    dirty[vertex] = false;
                }
                if scores[vertex] < scores[left[best]] {
                    best = place;
                }
                if scores[vertex].0 == 0.0 {
                    best = place;
                    break;
                }
            }
            let vertex = left.swap_remove(best);
            let fills = scores[vertex].0 > 0.0;
            let members: Vec<usize> = ones(self.row(vertex)).collect();
            self.retire(vertex, &members, fills, &mut dirty);
            keep_if_maximal(vertex, members, self.words, sizes, &mut open, &mut out);
            if out.cells > most {
                return None;
            }
        }
        Some(out)
    }

    /// First what decides (0 for a vertex whose neighbours all interact), then the table's size to
    /// break ties.
    fn score(&self, vertex: usize, sizes: &[f64], heuristic: Heuristic) -> (f64, f64) {
        let row = self.row(vertex);
        let mut table = sizes[vertex];
        let (mut missing, mut weight) = (0, 0.0);
        if let ([mine], false) = (row, heuristic == Heuristic::WeightedFill) {
            // Up to 64 vertices, which is nearly always: this loop is what asking about candidates
            // takes.
            let mut rest = *mine;
            while rest != 0 {
                let neighbour = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                table *= sizes[neighbour];
                missing += (mine & !self.rows[neighbour]).count_ones() - 1;
            }
            return decided(missing, weight, table, heuristic);
        }
        for neighbour in ones(row) {
            table *= sizes[neighbour];
            let other = self.row(neighbour);
            let mut count = 0;
            for (word, (&mine, &theirs)) in row.iter().zip(other).enumerate() {
                let gap = mine & !theirs;
                count += gap.count_ones();
                if heuristic == Heuristic::WeightedFill && gap != 0 {
                    let mut pair = 0.0;
                    for place in ones(&[gap]) {
                        let third = word * 64 + place;
                        pair += if third == neighbour { 0.0 } else { sizes[third] };
                    }
                    weight += pair * sizes[neighbour];
                }
            }
            // The neighbour itself is in my row and not in its own.
            missing += count - 1;
        }
        decided(missing, weight, table, heuristic)
    }

    /// Ties the neighbours together and takes the vertex out.
    fn retire(&mut self, vertex: usize, members: &[usize], fills: bool, dirty: &mut [bool]) {
        let words = self.words;
        let row: Vec<u64> = self.row(vertex).to_vec();
        for &member in members {
            dirty[member] = true;
            if fills {
                // A new pair changes the score of whoever knows both.
                for other in ones(self.row(member)) {
                    dirty[other] = true;
                }
            }
            let theirs = &mut self.rows[member * words..(member + 1) * words];
            if fills {
                theirs.iter_mut().zip(&row).for_each(|(theirs, mine)| *theirs |= mine);
                theirs[member / 64] &= !(1 << (member % 64));
            }
            theirs[vertex / 64] &= !(1 << (vertex % 64));
        }
    }
}

/// A vertex's score: new pairs, their cells, and the cells of its table.
fn decided(missing: u32, weight: f64, table: f64, heuristic: Heuristic) -> (f64, f64) {
    match heuristic {
        _ if missing == 0 => (0.0, table),
        Heuristic::MinFill => (f64::from(missing), table),
        Heuristic::MinSize => (table, f64::from(missing)),
        Heuristic::WeightedFill => (weight, table),
    }
}

/// A clique made by elimination lies inside another exactly if some clique whose next vertex is
/// this one has one member more.
fn keep_if_maximal(
    vertex: usize,
    members: Vec<usize>,
    words: usize,
    sizes: &[f64],
    open: &mut Vec<(Vec<u64>, usize)>,
    out: &mut Elimination,
) {
    let mut maximal = true;
    open.retain(|(bits, length)| {
        let mine = bits[vertex / 64] >> (vertex % 64) & 1 == 1;
        maximal &= !(mine && *length == members.len() + 2);
        !mine
    });
    let mut bits = vec![0; words];
    members.iter().for_each(|&member| bits[member / 64] |= 1 << (member % 64));
    if !members.is_empty() {
        open.push((bits, members.len() + 1));
    }
    if maximal {
        let mut clique = members;
        clique.push(vertex);
        clique.sort_unstable();
        out.cells += clique.iter().map(|&member| sizes[member]).product::<f64>();
        out.cliques.push(clique);
    }
}

/// The cheapest elimination over all heuristics.
pub(super) fn cheapest(graph: &Graph, sizes: &[f64]) -> Elimination {
    let mut best = graph.clone().eliminate(sizes, Heuristic::MinFill);
    for heuristic in [Heuristic::MinSize, Heuristic::WeightedFill] {
        let other = graph.clone().eliminate(sizes, heuristic);
        if other.cells < best.cells {
            best = other;
        }
    }
    best
}

/// Joins cliques into a tree in which every attribute's cliques hang together: a spanning tree of
/// largest overlaps. Returns each clique's neighbours. Parts that share nothing are joined by empty
/// overlaps.
pub(super) fn spanning_tree(cliques: &[Vec<usize>], vertices: usize) -> Vec<Vec<usize>> {
    let words = vertices.div_ceil(64).max(1);
    let mut bits = vec![0u64; words * cliques.len()];
    for (clique, members) in cliques.iter().enumerate() {
        members.iter().for_each(|&member| bits[clique * words + member / 64] |= 1 << (member % 64));
    }
    let overlap = |one: usize, two: usize| -> u32 {
        (0..words).map(|word| (bits[one * words + word] & bits[two * words + word]).count_ones()).sum()
    };
    let mut neighbours = vec![Vec::new(); cliques.len()];
    let mut nearest: Vec<(u32, usize)> = (0..cliques.len()).map(|clique| (overlap(0, clique), 0)).collect();
    let mut outside: Vec<usize> = (1..cliques.len()).collect();
    while !outside.is_empty() {
        let mut best = 0;
        for place in 1..outside.len() {
            if nearest[outside[place]].0 > nearest[outside[best]].0 {
                best = place;
            }
        }
        let clique = outside.swap_remove(best);
        let anchor = nearest[clique].1;
        neighbours[anchor].push(clique);
        neighbours[clique].push(anchor);
        for &other in &outside {
            let shared = overlap(clique, other);
            if shared > nearest[other].0 {
                nearest[other] = (shared, clique);
            }
        }
    }
    neighbours
}
