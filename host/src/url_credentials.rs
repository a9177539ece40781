//! Addresses as they are shown, logged and kept: without the name and the password that they may hold.

/// Returns an address without credentials. The account of `ssh` without a password stays, because it is part
/// of the address: `ssh://git@host/shop.git` and `git@host:shop.git`.
pub(crate) fn without_credentials(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    match authority.rsplit_once('@') {
        Some((account, _)) if !scheme.contains("ssh") || account.contains(':') => {
            format!("{scheme}://{}", &rest[account.len() + 1..])
        }
        _ => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::without_credentials;

    #[test]
    fn names_passwords_and_tokens_are_left_out() {
        for (address, shown) in [
            ("https://ada:secret@host.example/x.git", "https://host.example/x.git"),
            ("http://token@host.example:8080/x", "http://host.example:8080/x"),
            ("https://a:b@c:d@host.example/x", "https://host.example/x"),
            ("ssh://git:secret@host.example/x", "ssh://host.example/x"),
            ("https://host.example/x@y", "https://host.example/x@y"),
            ("ssh://git@host.example/x", "ssh://git@host.example/x"),
            ("git@host.example:shop/x.git", "git@host.example:shop/x.git"),
            ("/srv/git/x.git", "/srv/git/x.git"),
        ] {
            assert_eq!(without_credentials(address), shown);
        }
    }
}
