//! An order of the columns in which those that hang together stand together.

/// How often two columns were measured together: `first < second`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GraphEdge {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) times: u32,
}

/// Passes over the order that try to shorten it by exchanging neighbours.
const PASSES: usize = 40;

/// The nodes in the order in which they are drawn. Nodes without an edge come last, in their own
/// order.
pub(crate) fn order(nodes: usize, edges: &[GraphEdge]) -> Vec<usize> {
    let joined = neighbours(nodes, edges);
    let tree = forest(nodes, edges);
    let mut seen = vec![false; nodes];
    let mut order = Vec::with_capacity(nodes);
    // The walk begins at an end of each tree, so that a chain of columns is drawn as one.
    let mut starts: Vec<usize> = (0..nodes).filter(|&node| !joined[node].is_empty()).collect();
    starts.sort_by_key(|&node| (tree[node].len(), node));
    for start in starts {
        if !seen[start] {
            walk(start, &tree, &mut seen, &mut order);
        }
    }
    improve(&mut order, &joined);
    order.extend((0..nodes).filter(|&node| joined[node].is_empty()));
    order
}

fn neighbours(nodes: usize, edges: &[GraphEdge]) -> Vec<Vec<(usize, f64)>> {
    let mut joined = vec![Vec::new(); nodes];
    for edge in edges {
        joined[edge.first].push((edge.second, f64::from(edge.times)));
        joined[edge.second].push((edge.first, f64::from(edge.times)));
    }
    joined
}

/// A spanning forest of the strongest edges.
fn forest(nodes: usize, edges: &[GraphEdge]) -> Vec<Vec<usize>> {
    let mut sorted = edges.to_vec();
    sorted.sort_by_key(|edge| (std::cmp::Reverse(edge.times), edge.second - edge.first, edge.first));
    let mut group: Vec<usize> = (0..nodes).collect();
    let mut tree = vec![Vec::new(); nodes];
    for edge in sorted {
        let (one, other) = (group[edge.first], group[edge.second]);
        if one != other {
            group.iter_mut().filter(|group| **group == other).for_each(|group| *group = one);
            tree[edge.first].push(edge.second);
            tree[edge.second].push(edge.first);
        }
    }
    tree
}

/// Small branches first: the long way goes on below them.
fn walk(start: usize, tree: &[Vec<usize>], seen: &mut [bool], order: &mut Vec<usize>) {
    seen[start] = true;
    order.push(start);
    let mut branches: Vec<(usize, usize)> =
        tree[start].iter().filter(|&&next| !seen[next]).map(|&next| (size(next, start, tree), next)).collect();
    branches.sort_unstable();
    for (_, next) in branches {
        walk(next, tree, seen, order);
    }
}

fn size(node: usize, from: usize, tree: &[Vec<usize>]) -> usize {
    let mut open = vec![(node, from)];
    let mut count = 0;
    while let Some((node, from)) = open.pop() {
        count += 1;
        open.extend(tree[node].iter().filter(|&&next| next != from).map(|&next| (next, node)));
    }
    count
}

/// Exchanges neighbours while that makes the edges shorter in all.
fn improve(order: &mut [usize], joined: &[Vec<(usize, f64)>]) {
    let mut place = vec![0; joined.len()];
    order.iter().enumerate().for_each(|(at, &node)| place[node] = at);
    // How much longer the edges of a node get when it moves by one, its neighbour in the exchange
    // aside.
    let pull = |place: &[usize], node: usize, beside: usize, up: bool| -> f64 {
        let other = joined[node].iter().filter(|(to, _)| *to != beside);
        other.map(|&(to, times)| if (place[to] > place[node]) == up { -times } else { times }).sum()
    };
    for _ in 0..PASSES {
        let mut changed = false;
        for at in 1..order.len() {
            let (above, below) = (order[at - 1], order[at]);
            if pull(&place, above, below, true) + pull(&place, below, above, false) < 0.0 {
                order.swap(at - 1, at);
                (place[above], place[below]) = (at, at - 1);
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(order: &[usize], edges: &[GraphEdge]) -> usize {
        let place = |node| order.iter().position(|&other| other == node).unwrap();
        edges.iter().map(|edge| place(edge.first).abs_diff(place(edge.second)) * edge.times as usize).sum()
    }

    #[test]
    fn a_shuffled_chain_is_found() {
        // 37 and 50 have no common factor: the chain visits every node, far apart by number.
        let edges: Vec<GraphEdge> = (0..49)
            .map(|step| {
                let (one, other) = (step * 37 % 50, (step + 1) * 37 % 50);
                GraphEdge { first: one.min(other), second: one.max(other), times: 1 }
            })
            .collect();
        let order = order(52, &edges);
        assert_eq!(length(&order, &edges), 49, "every edge joins neighbours");
        assert_eq!(&order[50..], &[50, 51], "the lonely ones come last");
        let mut all = order.clone();
        all.sort_unstable();
        assert_eq!(all, (0..52).collect::<Vec<_>>());
    }

    #[test]
    fn a_star_stands_around_its_middle() {
        let edges: Vec<GraphEdge> = (1..9).map(|leaf| GraphEdge { first: 0, second: leaf, times: 1 }).collect();
        assert_eq!(length(&order(9, &edges), &edges), 2 * (1 + 2 + 3 + 4));
        assert!(order(0, &[]).is_empty());
    }
}
