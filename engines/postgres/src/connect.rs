//! Connections, all set up alike.

use postgres::{Config, NoTls};

use crate::address::Address;
use crate::fail::Failure;
use crate::passwords::password;
use crate::patience::Connection;
use crate::tls::{TlsWish, encrypted};

/// What every connection says first: nothing is ever written, values have one form whatever the
/// server's settings, and nothing ends a long reading but us.
const SETTINGS: &str = "SET default_transaction_read_only = on; \
     SET client_encoding = 'UTF8'; SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres'; SET TimeZone = 'UTC'; \
     SET extra_float_digits = 3; SET bytea_output = 'hex'; \
     SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0";

/// Opens connections to one server. No `Debug`: it has the password.
#[derive(Clone)]
pub(crate) struct Server {
    config: Config,
    tls: TlsWish,
}

impl Server {
    pub fn new(address: &Address) -> Self {
        let mut config = address.config.clone();
        if let Some(password) = password(&config) {
            config.password(password);
        }
        Self { config, tls: address.tls }
    }

    pub fn connect(&self) -> Result<Connection, Failure> {
        let connected = match self.tls {
            TlsWish::Plain => self.config.connect(NoTls),
            TlsWish::Encrypted => self.config.connect(encrypted()?),
        };
        let mut client = connected.map_err(|error| Failure::connecting(&error))?;
        client.batch_execute(SETTINGS).map_err(|error| Failure::asking(&error))?;
        Ok(Connection::new(client))
    }
}
