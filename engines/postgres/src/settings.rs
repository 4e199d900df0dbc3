//! What an address leaves out, from the variables that every PostgreSQL program reads.

use std::time::Duration;

use postgres::Config;
use postgres::config::Host;

use crate::fail::Failure;

/// How long a connection may take to be made, unless something else is said.
const CONNECT: Duration = Duration::from_secs(30);
/// Where servers of this computer have their sockets.
#[cfg(unix)]
const SOCKETS: [&str; 2] = ["/var/run/postgresql", "/tmp"];

/// The connection with host, port, user and database of the environment where it names none.
pub(crate) fn filled(mut config: Config) -> Result<Config, Failure> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    if config.get_hosts().is_empty() {
        config.host(&variable("PGHOST").unwrap_or_else(nearest));
    }
    if config.get_ports().is_empty()
        && let Some(port) = variable("PGPORT")
    {
        let port = port.parse().map_err(|_| Failure::mistake("PGPORT is no port", "give a number, such as 5432"))?;
        config.port(port);
    }
    if config.get_user().is_none()
        && let Some(user) = variable("PGUSER")
    {
        config.user(&user);
    }
    if config.get_dbname().is_none()
        && let Some(database) = variable("PGDATABASE")
    {
        config.dbname(&database);
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT);
    }
    if config.get_application_name().is_none() {
        config.application_name("lookalike");
    }
    Ok(config)
}

/// The server of this computer.
fn nearest() -> String {
    #[cfg(unix)]
    if let Some(folder) = SOCKETS.iter().find(|folder| std::path::Path::new(folder).is_dir()) {
        return (*folder).to_owned();
    }
    "localhost".to_owned()
}

/// Whether nothing of the way to the host leaves this computer.
pub(crate) fn is_near(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}
