//! Derived columns get the attributes behind the schema's own, and their bases are resolved.

use std::sync::Arc;

use super::View;
use crate::{AttrId, Clique, Derived, Grouping, Schema};

fn derived(base: u32, group_of: &[u32], name: &str) -> Derived {
    Derived { base: AttrId(base), grouping: Arc::new(Grouping::new(group_of.to_vec()).unwrap()), name: name.into() }
}

fn view() -> View {
    View::new(&Schema::parse(r#"{"a": 4, "b": 2}"#, "s.json").unwrap())
}

#[test]
fn derived_columns_follow_the_own_ones() {
    let mut view = view();
    let first = view.derive(&[derived(0, &[0, 0, 1, 2], "a'"), derived(2, &[1, 0, 0], "a''")]).unwrap();
    assert_eq!(first, [AttrId(2), AttrId(3)]);
    assert_eq!(view.derive(&[derived(1, &[0, 0], "nothing of b")]).unwrap(), [AttrId(4)]);
    assert_eq!(view.domain().sizes(), [4, 2, 3, 2, 1]);
    assert_eq!(view.names(&Clique::new([AttrId(3), AttrId(1)])), "b, a''");
    assert_eq!(view.own(), 2);
    // The second is a column derived twice: resolved to the schema's own.
    assert_eq!(view.derived()[1], derived(0, &[1, 1, 0, 0], "a''"));
}

#[test]
fn senseless_derivations_change_nothing() {
    let mut view = view();
    let fine = derived(0, &[0, 0, 1, 1], "halves");
    for (wrong, words) in [
        (derived(0, &[0, 1, 1], "short"), "\"short\": groups 3 codes of column \"a\", which has 4"),
        (derived(2, &[0, 1, 1, 1], "long"), "\"long\": groups 4 codes of column \"halves\", which has 2"),
        (derived(3, &[0], "from itself"), "derived from attribute 3, where there are 3"),
    ] {
        let error = view.derive(&[fine.clone(), wrong]).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
        assert_eq!(view.domain().len(), 2);
        assert!(view.derived().is_empty());
    }
}
