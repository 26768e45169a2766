//! An address to listen on.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::str::FromStr;

/// An address and a port, or a host name and a port, with the addresses that the name has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ListenAddress {
    text: String,
    addresses: Vec<SocketAddr>,
}

impl ListenAddress {
    /// The addresses, those of IPv4 first: the server listens on the first that can be used.
    pub(super) fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }
}

impl<A: Into<SocketAddr>> From<A> for ListenAddress {
    fn from(address: A) -> ListenAddress {
        let address = address.into();
        ListenAddress { text: address.to_string(), addresses: vec![address] }
    }
}

impl FromStr for ListenAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<ListenAddress, String> {
        const EXPECTED: &str =
            "expected an address and a port, such as 127.0.0.1:50051, [::1]:50051 or localhost:50051";
        if let Ok(address) = text.parse::<SocketAddr>() {
            return Ok(address.into());
        }
        // A port alone, as other servers have it, but of this machine alone.
        if let Ok(port) = text.strip_prefix(':').unwrap_or(text).parse::<u16>() {
            return Ok((Ipv4Addr::LOCALHOST, port).into());
        }
        let (host, port) = text.rsplit_once(':').ok_or_else(|| EXPECTED.to_owned())?;
        if host.is_empty() || host.contains(['[', ':', '/']) || port.parse::<u16>().is_err() {
            return Err(EXPECTED.to_owned());
        }
        let found = text.to_socket_addrs().map_err(|error| format!("the host {host} has no address: {error}"))?;
        let mut addresses: Vec<SocketAddr> = found.collect();
        addresses.sort_by_key(SocketAddr::is_ipv6);
        addresses.dedup();
        if addresses.is_empty() {
            return Err(format!("the host {host} has no address"));
        }
        Ok(ListenAddress { text: text.to_owned(), addresses })
    }
}

impl fmt::Display for ListenAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_name_stands_for_its_addresses() {
        let localhost: ListenAddress = "localhost:50051".parse().unwrap();
        assert_eq!(localhost.addresses()[0], "127.0.0.1:50051".parse().unwrap());
        assert_eq!(localhost.to_string(), "localhost:50051");
        let plain: ListenAddress = "[::1]:7".parse().unwrap();
        assert_eq!(plain.addresses(), ["[::1]:7".parse().unwrap()]);
        for port in ["8080", ":8080"] {
            assert_eq!(port.parse::<ListenAddress>().unwrap().to_string(), "127.0.0.1:8080");
        }
    }

    #[test]
    fn other_text_is_refused_with_examples() {
        for text in ["", "localhost", ":", "localhost:port", "localhost:70000", "http://localhost:80", "::1:80"] {
            let error = text.parse::<ListenAddress>().unwrap_err();
            assert!(error.contains("localhost:50051"), "{text}: {error}");
        }
        let nowhere = "nowhere.invalid:80".parse::<ListenAddress>().unwrap_err();
        assert!(nowhere.starts_with("the host nowhere.invalid has no address"), "{nowhere}");
    }
}
