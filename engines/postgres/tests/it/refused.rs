//! Queries whose rows depend on other rows, and what else cannot be read.

use lookalike::{Input, Schema};
use lookalike_postgres::PostgresRows;
use lookalike_table::{RemoteRows, TableError};
use lookalike_testkit::Postgres;

use crate::common::{Quiet, Watching, read};

fn header(server: &Postgres, rows: &str) -> Result<Vec<String>, (String, Vec<String>)> {
    let watch = Watching::default();
    let found = PostgresRows::at(&server.address(rows)).unwrap().header(&watch);
    found.map_err(|error| {
        assert!(matches!(error, TableError::File { .. }), "{error}");
        (error.to_string(), watch.said.into_inner().unwrap())
    })
}

#[test]
fn rows_that_depend_on_others_are_refused() {
    let Some(server) = Postgres::shared() else { return };
    server.sql(
        "CREATE TABLE people (id integer, age integer, town text); CREATE TABLE towns (town text, region text); \
         INSERT INTO people SELECT k, k % 90, 'town ' || k % 5 FROM generate_series(1, 300) k; \
         CREATE VIEW adults AS SELECT * FROM people WHERE age >= 18; \
         CREATE VIEW grouped AS SELECT age, count(*) FROM people GROUP BY age; \
         CREATE FUNCTION mine(integer) RETURNS integer LANGUAGE plpgsql AS 'BEGIN RETURN $1; END'; \
         CREATE MATERIALIZED VIEW counted AS SELECT age, count(*) AS people FROM people GROUP BY age",
    );
    for (rows, kind) in [
        ("table=people", "a table"),
        ("table=adults", "a view"),
        ("table=counted", "a materialized view"),
        ("query=SELECT age, lower(town) AS town FROM people WHERE age BETWEEN 18 AND 65", "a query"),
        ("query=SELECT age, CASE WHEN town = 'random()' THEN 1 ELSE 0 END FROM people ORDER BY age", "a query"),
        ("query=SELECT age FROM people WHERE id < 10 UNION ALL SELECT age FROM people WHERE id >= 10", "a query"),
        ("query=WITH old AS (SELECT * FROM people) SELECT age FROM old;", "a query"),
    ] {
        let postgres = PostgresRows::at(&server.address(rows)).unwrap();
        let open = postgres.open(&Quiet).map(drop).map_err(|error| error.to_string());
        assert_eq!(open, Ok(()), "{rows}");
        let facts = postgres.facts().unwrap();
        assert_eq!((facts.engine.as_str(), facts.rows_of.as_str()), ("PostgreSQL", kind));
        assert_eq!(facts.assumes.is_none(), kind == "a table");
        assert!(facts.version.chars().all(|sign| sign.is_ascii_digit() || sign == '.'), "{}", facts.version);
    }
    for (query, words) in [
        ("SELECT * FROM people LIMIT 10", "LIMIT"),
        ("SELECT * FROM people OFFSET 10", "LIMIT"),
        ("SELECT * FROM people TABLESAMPLE BERNOULLI (50)", "TABLESAMPLE"),
        ("SELECT p.age, t.region FROM people p JOIN towns t USING (town)", "a join"),
        ("SELECT * FROM people p WHERE EXISTS (SELECT 1 FROM towns t WHERE t.town = p.town)", "a join"),
        ("SELECT DISTINCT age FROM people", "DISTINCT"),
        ("SELECT age, count(*) FROM people GROUP BY age", "an aggregate"),
        ("SELECT age FROM people UNION SELECT id FROM people", "an aggregate"),
        ("SELECT age, row_number() OVER (ORDER BY id) FROM people", "a window"),
        ("SELECT age, (SELECT max(age) FROM people) FROM people", "inside the query"),
        ("SELECT age, (SELECT region FROM towns t WHERE t.town = p.town) FROM people p", "inside the query"),
        ("SELECT age, random() FROM people", "volatile"),
        ("SELECT age FROM people WHERE random() < 0.5", "volatile"),
        ("SELECT age, clock_timestamp() FROM people", "volatile"),
        ("SELECT mine(age) FROM people", "volatile"),
        ("SELECT age, generate_series(1, age) FROM people", "makes rows"),
        ("SELECT * FROM generate_series(1, 10)", "makes rows"),
        ("SELECT * FROM grouped", "an aggregate"),
    ] {
        let Err((error, _)) = header(server, &format!("query={query}")) else { panic!("{query} was taken") };
        assert!(error.contains(words) && !error.contains("people p"), "{query}: {error}");
    }
    let (error, _) = header(server, "table=grouped").unwrap_err();
    assert!(error.contains("an aggregate"), "{error}");
}

#[test]
fn what_the_server_says_stays_at_the_terminal() {
    let Some(server) = Postgres::shared() else { return };
    server.sql("CREATE TABLE canary_rows (a integer); INSERT INTO canary_rows VALUES (1)");
    for (rows, words) in [
        ("table=canary_nowhere", "no such table"),
        ("query=SELECT canary_nothing FROM canary_rows", "refused"),
        ("query=SELEC canary", "refused"),
        ("query=SELECT 1); DROP TABLE canary_rows; SELECT (1", "refused"),
    ] {
        let (error, said) = header(server, rows).unwrap_err();
        assert!(error.contains(words) && !error.contains("canary"), "{rows}: {error}");
        assert!(words != "refused" || said.concat().contains("error"), "{rows}: {said:?}");
    }
    // A cell that breaks the query while rows are read.
    let rows = "query=SELECT 1 / (a - 1) AS canary_quotient FROM canary_rows";
    let postgres = PostgresRows::at(&server.address(rows)).unwrap();
    let schema = Schema::parse(r#"{"canary_quotient": 4}"#, "schema").unwrap();
    let watch = Watching::default();
    let Err(error) = read(postgres, &schema, &watch) else { panic!("it was read") };
    let error = error.to_string();
    assert!(!error.contains("canary") && !error.contains("zero"), "{error}");
    assert!(watch.said.into_inner().unwrap().concat().contains("division by zero"));
    // Nobody listens here.
    let nowhere = PostgresRows::at("postgres://postgres@127.0.0.1:1/canary?table=canary").unwrap();
    let error = nowhere.header(&Watching::default()).unwrap_err().to_string();
    assert!(error.contains("could not be reached") && !error.contains("canary"), "{error}");
}

/// The same address through the library: a path that begins with the scheme.
#[test]
fn the_library_takes_an_address_for_a_path() {
    let Some(server) = Postgres::shared() else { return };
    server.sql(
        "CREATE TABLE canary_ages (age integer); INSERT INTO canary_ages SELECT k % 50 FROM generate_series(1, 500) k",
    );
    let schema = Schema::parse("[columns.age]\ntype = \"integer\"\nrange = [0, 99]\n", "schema").unwrap();
    let budget = lookalike::Budget::new(1.0, 1e-9).unwrap();
    let fit = |address: String| {
        lookalike::Synthesizer::new(schema.clone())
            .budget(budget)
            .method(lookalike::Independent::default())
            .fit(address)
    };
    let release = fit(server.address("table=canary_ages")).unwrap();
    let statement = release.statement().to_json();
    assert!(statement.contains("\"engine\": \"PostgreSQL\"") && !statement.contains("canary"), "{statement}");
    let Err(error) = fit(server.address("table=nothing")) else { panic!("a release of nothing") };
    assert!(error.to_string().contains("no such table"));
    assert!(matches!(lookalike::table_input(server.address("table=canary_ages").as_ref()), Ok(Input::Remote(_))));
}
