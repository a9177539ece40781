//! The servers of a project, which Claude Code reads from `.mcp.json`: adding and removing ours.

use serde::{Deserialize, Serialize};

use super::json_edit::Document;
use super::json_edit::PathStep::Key;
use super::shell_words::{program_name, shell_commands};
use crate::claude::decode_json;
use crate::error::{Error, Result};

/// The servers of a project, relative to its root.
pub const MCP_FILE: &str = ".mcp.json";

/// The name of our server. Claude Code calls its tools `mcp__interleaf__…`.
const SERVER_NAME: &str = "interleaf";

/// How the names of its tools begin, registered by a project or by the plugin.
const TOOL_PREFIXES: [&str; 2] = ["mcp__interleaf__", "mcp__plugin_memory_interleaf__"];

/// Tells whether a tool is one of our server's.
pub fn is_own_tool(tool: &str) -> bool {
    TOOL_PREFIXES.iter().any(|prefix| tool.starts_with(prefix))
}

/// The member of the file that has the servers.
const SERVERS: &str = "mcpServers";

/// The command line for machines where `interleaf` may be in a folder that the PATH of Claude Code lacks.
const SHARED_COMMAND_LINE: &str = r#"PATH="$PATH:$HOME/.cargo/bin:$HOME/.local/bin"; exec interleaf mcp"#;

/// The way in which a registered server is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerCommand<'a> {
    /// By the program's absolute path: for a file that stays on this machine.
    Program(&'a str),
    /// Any installed `interleaf`: for a file that a team shares, and for the plugin.
    Shared,
}

/// A server as it is written and found. One that is no process reads as an empty one.
#[derive(Debug, Default, Serialize, Deserialize, PartialEq, Eq)]
#[serde(default)]
struct ServerEntry {
    command: String,
    args: Vec<String>,
}

impl ServerEntry {
    fn new(command: ServerCommand<'_>) -> Self {
        let (command, args) = match command {
            ServerCommand::Program(program) => (program, vec!["mcp"]),
            ServerCommand::Shared => ("sh", vec!["-c", SHARED_COMMAND_LINE]),
        };
        Self { command: command.to_owned(), args: args.into_iter().map(str::to_owned).collect() }
    }

    /// Tells whether it starts `interleaf mcp`, by itself or through a shell.
    fn runs_interleaf(&self) -> bool {
        let runs = |words: &[&str]| {
            words.first().is_some_and(|word| program_name(word) == "interleaf")
                && words.get(1) == Some(&"mcp")
        };
        let words: Vec<&str> =
            [self.command.as_str()].into_iter().chain(self.args.iter().map(String::as_str)).collect();
        let line = words.iter().skip_while(|word| **word != "-c").nth(1);
        runs(&words) || line.is_some_and(|line| shell_commands(line).any(|command| runs(&command)))
    }
}

/// The text of a `.mcp.json`, to be edited in place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpServers(Document);

impl McpServers {
    /// Parses the text of a file. An empty file counts as `{}`.
    ///
    /// # Errors
    /// `Invalid`, with line and column, if it is not a JSON object.
    pub fn parse(text: &str) -> Result<Self> {
        Document::parse(text).map(Self)
    }

    /// Returns the current text.
    pub fn text(&self) -> &str {
        self.0.text()
    }

    /// Tells whether the file has nothing at all.
    pub fn is_empty(&self) -> bool {
        self.0.keys(&[]).is_some_and(|keys| keys.is_empty())
    }

    /// Tells whether the file has a list of servers without a server. [`Self::unregister`] can keep it.
    pub fn has_empty_list(&self) -> bool {
        self.names().is_some_and(|names| names.is_empty())
    }

    /// Tells whether our server is registered.
    pub fn registers_interleaf(&self) -> bool {
        self.entry().is_some_and(|entry| entry.runs_interleaf())
    }

    /// Registers our server. One that is already right stays untouched.
    ///
    /// # Errors
    /// `Invalid` if the servers are not an object; `Conflict` if another server has our name.
    pub fn register(&mut self, command: ServerCommand<'_>) -> Result<()> {
        let new = ServerEntry::new(command);
        if self.0.get(&[Key(SERVERS)]).is_some() && self.names().is_none() {
            return Err(Error::invalid(format!("`{SERVERS}` is not an object"))
                .hint("correct it by hand, then try again"));
        }
        match self.entry() {
            Some(entry) if entry == new => return Ok(()),
            Some(entry) if !entry.runs_interleaf() => {
                return Err(Error::conflict(format!("another server has the name `{SERVER_NAME}`"))
                    .hint("give that server another name, then try again"));
            }
            _ => self.unregister(true),
        }
        if self.names().is_none() {
            self.0.append(&[], Some(SERVERS), "{}");
        }
        let entry = self.0.to_styled_json(&new);
        self.0.append(&[Key(SERVERS)], Some(SERVER_NAME), &entry);
        Ok(())
    }

    /// Removes our server, and the list of servers if it is empty then, unless `keep_list` is set.
    pub fn unregister(&mut self, keep_list: bool) {
        if !self.registers_interleaf() {
            return;
        }
        self.remove(&[Key(SERVERS)][..], SERVER_NAME);
        if self.has_empty_list() && !keep_list {
            self.remove(&[], SERVERS);
        }
    }

    fn remove(&mut self, path: &[super::json_edit::PathStep<'_>], name: &str) {
        let index = self.0.keys(path).and_then(|keys| keys.iter().rposition(|key| key == name));
        if let Some(index) = index {
            self.0.remove(path, index);
        }
    }

    fn names(&self) -> Option<Vec<String>> {
        self.0.keys(&[Key(SERVERS)])
    }

    /// Returns the server with our name.
    fn entry(&self) -> Option<ServerEntry> {
        let json = self.0.get(&[Key(SERVERS), Key(SERVER_NAME)])?;
        Some(serde_json::from_str(&decode_json(json.as_bytes())).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registered(text: &str, command: ServerCommand<'_>) -> McpServers {
        let mut servers = McpServers::parse(text).unwrap();
        servers.register(command).unwrap();
        servers
    }

    #[test]
    fn registering_and_unregistering_restores_the_same_bytes() {
        for text in [
            "{}\n",
            "{\"mcpServers\":{\"db\":{\"command\":\"db\"}}}",
            "{\n\t\"mcpServers\": {\n\t\t\"db\": {\"command\": \"db\"}\n\t},\n\t\"x\": 1\n}\n",
            "{\n  \"x\": []\n}",
        ] {
            for command in [ServerCommand::Program("/opt/my tools/interleaf"), ServerCommand::Shared] {
                let mut servers = registered(text, command);
                assert!(servers.registers_interleaf(), "{}", servers.text());
                assert_eq!(registered(servers.text(), command), servers, "twice is once");

                servers.unregister(false);

                assert_eq!(servers.text(), text);
            }
        }
    }

    #[test]
    fn an_empty_list_is_kept_on_request() {
        let text = "{\"mcpServers\": {}}";
        let mut servers = registered(text, ServerCommand::Shared);
        servers.unregister(true);
        assert_eq!(servers.text(), text);
    }

    #[test]
    fn another_way_to_start_ours_replaces_the_former() {
        let servers = registered(
            registered("", ServerCommand::Shared).text(),
            ServerCommand::Program("/opt/interleaf"),
        );
        assert_eq!(servers, registered("", ServerCommand::Program("/opt/interleaf")));
    }

    #[test]
    fn a_server_of_another_program_with_our_name_is_neither_replaced_nor_removed() {
        for entry in [
            r#"{"command": "npx", "args": ["interleaf", "mcp"]}"#,
            r#"{"command": "interleaf", "args": ["hook"]}"#,
            r#"{"type": "http", "url": "https://example.org"}"#,
            r#"{"command": "sh", "args": ["-c", "echo interleaf mcp"]}"#,
        ] {
            let text = format!("{{\"mcpServers\": {{\"interleaf\": {entry}}}}}");
            let mut servers = McpServers::parse(&text).unwrap();
            assert!(servers.register(ServerCommand::Shared).is_err(), "{entry}");
            servers.unregister(false);
            assert_eq!(servers.text(), text);
        }
        let mut list = McpServers::parse("{\"mcpServers\": []}").unwrap();
        assert!(list.register(ServerCommand::Shared).is_err());
    }

    #[test]
    fn the_plugin_registers_what_a_team_shares() {
        let plugin = McpServers::parse(include_str!("../../../../claude-plugin/.mcp.json")).unwrap();
        assert_eq!(plugin.entry(), Some(ServerEntry::new(ServerCommand::Shared)));
    }
}
