//! By what a ledger recognizes rows.

use lookalike_schema::Schema;

use super::{read_for_ledger, write_file};
use crate::coded::CodedTable;
use crate::{DigestWish, Digests, Persons};

const KEY: [u8; 32] = [5; 32];

const ROLES: &str = "[columns.pid]\ntype = \"id\"\n[columns.v]\ntype = \"integer\"\nrange = [0, 99]\nbins = 100\n\
    [columns.note]\ntype = \"ignore\"\n";

fn read(schema: &str, text: &str, most: Option<u32>, older: bool) -> Digests {
    let folder = tempfile::tempdir().unwrap();
    let input = write_file(folder.path(), "a.csv", text.as_bytes());
    let schema = Schema::parse(schema, "test").unwrap();
    let persons = most.map(|most| Persons { column: "pid".to_owned(), most });
    let wish = DigestWish { key: &KEY, older, second: None };
    read_for_ledger(&input, &schema, persons.as_ref(), wish).unwrap().1
}

fn records(schema: &str, text: &str) -> [u8; 32] {
    read(schema, text, None, false).records
}

const TABLE: &str = "pid,v,note\n7,1,x\n8,2,\"so, so\"\n7,1,x\n9,,NA\n";

#[test]
fn all_cells_count_and_neither_order_nor_spelling_does() {
    let own = records(ROLES, TABLE);
    let same = [
        "pid,v,note\n9,NA,\n7,1,x\n7,1,x\n8,2,\"so, so\"\n",
        "note,pid,v\nx,7,1.0\n\"so, so\",8,2\n x ,07,+1\n,9,nan\n",
        "pid;v;note\r\n7;1;x\r\n8;2;so, so\r\n\r\n7;1;x\r\n9\r\n",
    ];
    for text in same {
        assert_eq!(records(ROLES, text), own, "{text}");
    }
    let other = [
        // A row less, more, or twice; another id, value or ignored cell; cells moved; another name.
        "pid,v,note\n7,1,x\n8,2,\"so, so\"\n7,1,x\n",
        "pid,v,note\n7,1,x\n8,2,\"so, so\"\n7,1,x\n9,,NA\n9,,NA\n",
        "pid,v,note\n7,1,x\n8,2,\"so, so\"\n8,1,x\n9,,NA\n",
        "pid,v,note\n7,1,x\n8,3,\"so, so\"\n7,1,x\n9,,NA\n",
        "pid,v,note\n7,1,x\n8,2,\"so, so\"\n7,1,y\n9,,NA\n",
        "pid,v,note\n1,7,x\n8,2,\"so, so\"\n7,1,x\n9,,NA\n",
        "pid,v,note\n7,1,x\n8,2,\"so, so\"\n7,1,x\n,,9\n",
    ];
    for text in other {
        assert_ne!(records(ROLES, text), own, "{text}");
    }
    let renamed = ROLES.replace("note", "remark");
    assert_ne!(records(&renamed, &TABLE.replace("note", "remark")), own);
}

/// Neither bins, roles, missing tokens nor what was kept of persons under which key has a part in
/// it.
#[test]
fn the_schema_and_the_run_key_do_not_count() {
    let own = records(ROLES, TABLE);
    let schemas = [
        ROLES.replace("bins = 100", "bins = 3"),
        ROLES.replace("type = \"ignore\"", "type = \"category\"\nvalues = [\"x\"]\nmissing = true"),
        format!("missing_tokens = [\"x\", \"7\"]\n{ROLES}"),
        "unlisted = \"ignore\"\n[columns.v]\ntype = \"integer\"\nrange = [5, 6]\n".to_owned(),
    ];
    for schema in schemas {
        assert_eq!(records(&schema, TABLE), own, "{schema}");
    }
    for most in [1, 2, 1] {
        assert_eq!(read(ROLES, TABLE, Some(most), true).records, own);
    }
}

/// What ledgers of version 1 noted: the coded rows, of each person the first ones in the file.
#[test]
fn the_older_digest_is_still_that_of_the_first_rows() {
    let schema = Schema::parse(ROLES, "test").unwrap();
    let of_codes = |codes: Vec<u32>| CodedTable::from_columns(&schema, &[codes]).keyed_digest(&KEY).unwrap();
    // 5,000 persons, whose rows lie far apart; person 0 has rows without end.
    let rows: Vec<(u32, u32)> = (0..20_000).map(|row| (row * 7 % 5000 * (row % 3), row * 31 % 100)).collect();
    let lines: String = rows.iter().map(|(id, v)| format!("{id},{v},\n")).collect();
    let text = format!("pid,v,note\n{lines},5,\nNA,5,\n");
    let mut all: Vec<u32> = rows.iter().map(|row| row.1).collect();
    all.extend([5, 5]);
    assert_eq!(read(ROLES, &text, None, true).older, Some(of_codes(all)));
    assert_eq!(read(ROLES, &text, None, false).older, None);
    for most in [1, 3] {
        let mut seen = vec![0; 15_000];
        let first = rows.iter().filter(|row| {
            seen[row.0 as usize] += 1;
            seen[row.0 as usize] <= most
        });
        let first = of_codes(first.map(|row| row.1).collect());
        assert_eq!(read(ROLES, &text, Some(most), true).older, Some(first));
    }
}
