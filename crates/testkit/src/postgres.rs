//! A PostgreSQL server of a test's own, where Debian's or another one is installed.

use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::OnceLock;

use crate::or_missing;

/// A server that ends, and whose folder goes, with the process that started it.
pub struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
    /// Whoever waits at its other end stops the server when this is closed.
    _lifeline: ChildStdin,
    _keeper: Child,
}

/// Stops the server when the process that started it ends, however it ends: the pipe closes then.
const KEEPER: &str = "read -r _; \"$@\" stop -m immediate -s; rm -rf \"$FOLDER\"";

impl Postgres {
    /// One server for all tests of a program. `None` with a word where none is installed, which is
    /// a failure in CI.
    pub fn shared() -> Option<&'static Self> {
        static SERVER: OnceLock<Option<Postgres>> = OnceLock::new();
        let server = SERVER.get_or_init(|| Some(Self::start(find_programs()?)));
        or_missing(server.as_ref(), "no PostgreSQL server is installed")
    }

    /// A server of one test, which harms connections and must not harm another test's.
    pub fn own() -> Option<Self> {
        or_missing(find_programs().map(Self::start), "no PostgreSQL server is installed")
    }

    fn start(programs: PathBuf) -> Self {
        let folder = tempfile::Builder::new().prefix("lookalike-pg-").tempdir().expect("a folder").keep();
        if is_root() {
            let owner = Command::new("chown").arg("postgres").arg(&folder).status().expect("chown starts");
            assert!(owner.success(), "the server needs the user postgres when root starts it");
        }
        // Nobody else takes a free port in the meantime, or the test says so.
        let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port").port();
        let data = folder.join("data");
        let initialized = as_owner(&programs.join("initdb"))
            .args(["--auth=trust", "--username=postgres", "--no-sync", "--encoding=UTF8", "--locale=C", "-D"])
            .arg(&data)
            .output();
        checked(initialized.expect("initdb starts"));
        // Passwords are asked of everybody but the owner.
        let ways = "local all postgres trust\nhost all postgres 127.0.0.1/32 trust\n\
                    local all all scram-sha-256\nhost all all 127.0.0.1/32 scram-sha-256\n";
        let rules = data.join("pg_hba.conf");
        std::fs::write(&rules, ways).expect("the rules of the server");
        make_certificate(&data);
        let options = format!(
            "-p {port} -k {} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=300 -c log_statement=none \
             -c ssl=on",
            folder.display()
        );
        let mut begin = control(&programs, &data);
        begin.args(["start", "-w", "-s", "-o", &options, "-l"]).arg(folder.join("log"));
        // Its output is the server's, which lives on.
        let begun = begin.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("pg_ctl starts");
        assert!(begun.success(), "the server does not start: {}", folder.join("log").display());
        let stop = control(&programs, &data);
        let mut keeper = Command::new("sh");
        keeper.args(["-c", KEEPER, "keeper"]).arg(stop.get_program()).args(stop.get_args());
        keeper.env("FOLDER", &folder).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut keeper = keeper.spawn().expect("sh starts");
        let lifeline = keeper.stdin.take().expect("a pipe");
        Self { programs, folder, port, _lifeline: lifeline, _keeper: keeper }
    }

    /// The folder of the server's socket.
    pub fn socket(&self) -> &Path {
        &self.folder
    }

    /// The certificate that it shows, made out to localhost.
    pub fn certificate(&self) -> PathBuf {
        self.folder.join("data/server.crt")
    }

    /// Its port on 127.0.0.1, also the socket's.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address of a table, a view or a query (`table=NAME`, `query=...`) through the socket.
    pub fn address(&self, rows: &str) -> String {
        let folder = self.folder.display().to_string().replace('/', "%2F");
        format!("postgres://postgres@{folder}:{}/postgres?{rows}", self.port)
    }

    /// The same by TCP at another port, where somebody stands between.
    pub fn address_at(&self, port: u16, rows: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{port}/postgres?{rows}")
    }

    /// Runs SQL, with data for `COPY ... FROM STDIN` behind it, and gives what is printed.
    ///
    /// # Panics
    /// When the server refuses it.
    pub fn sql(&self, text: &str) -> String {
        checked(self.run_psql(text))
    }

    /// The same, which may fail.
    pub fn try_sql(&self, text: &str) -> bool {
        self.run_psql(text).status.success()
    }

    fn run_psql(&self, text: &str) -> Output {
        let mut command = Command::new(self.programs.join("psql"));
        command.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-U", "postgres", "-d", "postgres", "-h"]);
        command.arg(&self.folder).args(["-p", &self.port.to_string()]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("psql starts");
        let mut input = child.stdin.take().expect("a pipe");
        let text = text.to_owned();
        // Whoever writes all first may wait for whoever reads nothing yet.
        let writing = std::thread::spawn(move || {
            let _ = input.write_all(text.as_bytes());
        });
        let output = child.wait_with_output().expect("psql ends");
        let _ = writing.join();
        output
    }
}

/// A certificate for localhost, which vouches for itself.
fn make_certificate(data: &Path) {
    let made = as_owner(Path::new("openssl"))
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE", "-out"])
        .arg(data.join("server.crt"))
        .arg("-keyout")
        .arg(data.join("server.key"))
        .output();
    checked(made.expect("openssl starts"));
}

/// The folder of `initdb` and the others: of the newest version that Debian has, or of the path.
fn find_programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let version = |folder: &PathBuf| folder.file_name()?.to_str()?.parse::<u32>().ok();
    let newest = versions.map(|entry| entry.path()).filter(|path| version(path).is_some()).max_by_key(version);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).find(|folder| folder.join("initdb").is_file());
    newest.map(|folder| folder.join("bin")).filter(|folder| folder.join("initdb").is_file()).or(on_path)
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|said| said.stdout.trim_ascii() == b"0")
}

/// A program run as somebody that the server allows: not as root.
fn as_owner(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]).arg(program);
    command.current_dir("/");
    command
}

fn control(programs: &Path, data: &Path) -> Command {
    let mut command = as_owner(&programs.join("pg_ctl"));
    command.arg("-D").arg(data);
    command
}

fn checked(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}
