//! A headless Chromium, driven over a pipe by a few messages of its devtools protocol. No driver,
//! no port, no crate.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// Names under which a Chromium usually lies on the path.
const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
/// An answer that takes longer than this never comes.
const PATIENCE: Duration = Duration::from_secs(120);
/// The height of one picture.
const SHOT: u64 = 1600;

/// A running browser with one page.
pub struct Browser {
    child: Child,
    to: File,
    from: Receiver<Value>,
    next: u64,
    session: Option<String>,
    /// What the page did since the last visit.
    events: Vec<Value>,
    _folder: tempfile::TempDir,
}

/// What a page is shown on.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    pub width: u32,
    pub dark: bool,
    pub print: bool,
}

/// What a page did while it was opened.
#[derive(Debug, Default)]
pub struct Visit {
    /// Everything it asked for besides itself.
    pub requests: Vec<String>,
    /// Errors and warnings of the console, exceptions, refused requests.
    pub complaints: Vec<String>,
}

/// The program that `CHROME` names, or one of the usual names on the path.
pub fn program() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CHROME") {
        let named = PathBuf::from(named);
        assert!(named.is_file(), "CHROME names {}, which is not there", named.display());
        return Some(named);
    }
    let path = std::env::var_os("PATH")?;
    let places = std::env::split_paths(&path).flat_map(|folder| NAMES.map(|name| folder.join(name)));
    places.into_iter().find(|place| place.is_file())
}

impl Browser {
    /// Starts the program. Its two pipes are named ones, which a shell puts where the browser looks
    /// for them.
    pub fn start(program: &Path) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["in", "out"] {
            assert!(Command::new("mkfifo").arg(at(name)).status().expect("mkfifo").success());
        }
        let flags = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--no-first-run",
            "--remote-debugging-pipe",
        ];
        let child = Command::new("sh")
            .arg("-c")
            .arg(r#"in="$1"; out="$2"; shift 2; exec "$@" 3<"$in" 4>"$out""#)
            .arg("sh")
            .args([at("in"), at("out")])
            .arg(program)
            .args(flags)
            .arg(format!("--user-data-dir={}", at("profile").display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        let to = File::options().write(true).open(at("in")).expect("a pipe");
        let from = listen(File::open(at("out")).expect("a pipe"));
        let mut browser = Self { child, to, from, next: 0, session: None, events: Vec::new(), _folder: folder };
        browser.attach();
        browser
    }

    fn attach(&mut self) {
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }));
        let target = json!({ "targetId": target["targetId"], "flatten": true });
        let session = self.call("Target.attachToTarget", target);
        self.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Network", "Runtime", "Log"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
    }

    /// Opens a file on a screen.
    pub fn open(&mut self, file: &Path, screen: Screen) -> Visit {
        let Screen { width, dark, print } = screen;
        let metrics = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        let scheme = json!([{ "name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" } }]);
        let media = if print { "print" } else { "screen" };
        self.call("Emulation.setEmulatedMedia", json!({ "media": media, "features": scheme }));
        self.call("Page.navigate", json!({ "url": "about:blank" }));
        self.until("Page.loadEventFired");
        self.events.clear();
        let url = format!("file://{}", fs::canonicalize(file).expect("a page").display());
        self.call("Page.navigate", json!({ "url": url }));
        self.until("Page.loadEventFired");
        // Whatever the page set going on its way has been told by the time that this is answered.
        self.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)))");
        self.visit(&url)
    }

    fn visit(&mut self, url: &str) -> Visit {
        let mut visit = Visit::default();
        for event in self.events.drain(..) {
            let facts = &event["params"];
            match event["method"].as_str().unwrap_or_default() {
                "Network.requestWillBeSent" => {
                    let asked = facts["request"]["url"].as_str().unwrap_or_default();
                    if asked != url {
                        visit.requests.push(asked.to_owned());
                    }
                }
                "Runtime.exceptionThrown" => visit.complaints.push(facts["exceptionDetails"].to_string()),
                "Runtime.consoleAPICalled" => visit.complaints.push(facts["args"].to_string()),
                "Log.entryAdded" => visit.complaints.push(facts["entry"]["text"].to_string()),
                _ => {}
            }
        }
        visit
    }

    /// The value of an expression in the page, waited for.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let ask = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", ask);
        assert!(answer.get("exceptionDetails").is_none(), "{answer}");
        answer["result"]["value"].clone()
    }

    /// The whole page in pictures, from the top down.
    pub fn screenshots(&mut self) -> Vec<Vec<u8>> {
        let size = self.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]");
        let (width, height) = (size[0].as_u64().unwrap_or(0), size[1].as_u64().unwrap_or(0));
        let shot = |top: u64| {
            let clip = json!({ "x": 0, "y": top, "width": width, "height": (height - top).min(SHOT), "scale": 1 });
            let ask = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
            base64(self.call("Page.captureScreenshot", ask)["data"].as_str().unwrap_or_default())
        };
        (0..height).step_by(SHOT as usize).map(shot).collect()
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).expect("the browser listens");
        loop {
            let answer = self.receive(method);
            if answer["id"] == self.next {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
            self.events.push(answer);
        }
    }

    fn until(&mut self, event: &str) {
        while !self.events.iter().any(|seen| seen["method"] == event) {
            let seen = self.receive(event);
            self.events.push(seen);
        }
        self.events.retain(|seen| seen["method"] != event);
    }

    fn receive(&self, what: &str) -> Value {
        self.from.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("the browser is silent after {what}: {error}"))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.to.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        // The other end closes when the browser is gone; one that hangs is ended.
        while self.from.recv_timeout(Duration::from_secs(10)).is_ok() {}
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Messages end with a zero byte.
fn listen(from: File) -> Receiver<Value> {
    let (told, heard) = channel();
    std::thread::spawn(move || {
        for message in BufReader::new(from).split(0) {
            let Ok(message) = message else { return };
            let Ok(message) = serde_json::from_slice(&message) else { return };
            if told.send(message).is_err() {
                return;
            }
        }
    });
    heard
}

fn base64(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u32> = text.bytes().filter_map(digit).map(u32::from).collect();
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for four in digits.chunks(4) {
        let joined = (0..4).fold(0, |sum, at| sum << 6 | four.get(at).copied().unwrap_or(0));
        bytes.extend_from_slice(&joined.to_be_bytes()[1..four.len()]);
    }
    bytes
}
