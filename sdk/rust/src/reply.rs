//! The reply of a handler: a block of context, decisions and a notice. Most replies are empty.

pub use crate::bindings::interleaf::layer::types::{Content, Context, Decision, Item, Reply};
use crate::memory::Hit;

/// Constructors of common replies, and methods that extend a reply.
///
/// ```
/// use interleaf_layer::prelude::*;
///
/// let reply = Reply::ask("this rewrites `main`").with_notice("protect-branch checked a push");
///
/// assert_eq!(reply.decisions, [Decision::Ask("this rewrites `main`".to_owned())]);
/// assert!(Reply::silent().is_silent());
/// ```
impl Reply {
    /// Creates an empty reply.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Reply::silent(), Reply::default());
    /// ```
    pub const fn silent() -> Self {
        Self { context: None, decisions: Vec::new(), notice: None }
    }

    /// Creates a reply that shows memories which this layer has read during this event. Without hits, the
    /// reply is silent.
    ///
    /// `heading` describes in a few words what they have in common. The host adds date, category and origin
    /// to each memory.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// # fn handle() -> Result<Reply> {
    /// let hits = memory::search("force push", &Filter::unseen(), 3)?;
    /// Ok(Reply::memories("Rules about pushing", hits))
    /// # }
    /// # assert!(handle().unwrap().is_silent());
    /// ```
    pub fn memories(heading: impl Into<String>, hits: impl IntoIterator<Item = Hit>) -> Self {
        Self::items(heading, hits.into_iter().map(Item::from))
    }

    /// Creates a reply that shows a text of the layer as one item of relevance 1.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let reply = Reply::text("Ticket", "ABC-123: the cart loses its discount");
    ///
    /// assert_eq!(reply.context.unwrap().items, [Item::text("ABC-123: the cart loses its discount", 1.0)]);
    /// ```
    pub fn text(heading: impl Into<String>, text: impl Into<String>) -> Self {
        Self::items(heading, [Item::text(text, 1.0)])
    }

    /// Creates a reply that shows these items. Without items, the reply is silent.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert!(Reply::items("Nothing", []).is_silent());
    /// ```
    pub fn items(heading: impl Into<String>, items: impl IntoIterator<Item = Item>) -> Self {
        let items: Vec<Item> = items.into_iter().collect();
        let context = (!items.is_empty()).then(|| Context { heading: heading.into(), items, urgent: false });
        Self { context, ..Self::silent() }
    }

    /// Creates a reply that asks the person to confirm a tool call, with the reason.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Reply::ask("sure?").decisions, [Decision::Ask("sure?".to_owned())]);
    /// ```
    pub fn ask(reason: impl Into<String>) -> Self {
        Decision::Ask(reason.into()).into()
    }

    /// Creates a reply that refuses a tool call. The model sees the reason.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Reply::deny("frozen").decisions, [Decision::Deny("frozen".to_owned())]);
    /// ```
    pub fn deny(reason: impl Into<String>) -> Self {
        Decision::Deny(reason.into()).into()
    }

    /// Creates a reply that allows a tool call without a question to the person.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Reply::allow("read-only").decisions, [Decision::Allow("read-only".to_owned())]);
    /// ```
    pub fn allow(reason: impl Into<String>) -> Self {
        Decision::Allow(reason.into()).into()
    }

    /// Creates a reply that refuses a prompt or passes the reason to the model, depending on the event.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Reply::block("no key in a prompt").decisions.len(), 1);
    /// ```
    pub fn block(reason: impl Into<String>) -> Self {
        Decision::Block(reason.into()).into()
    }

    /// Creates a reply that makes the session continue instead of stopping. The model sees the reason.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Reply::go_on("a test is red").decisions, [Decision::GoOn("a test is red".to_owned())]);
    /// ```
    pub fn go_on(reason: impl Into<String>) -> Self {
        Decision::GoOn(reason.into()).into()
    }

    /// Adds a decision.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let reply = Reply::text("Rule", "Ask before a push").with_decision(Decision::Ask("push?".to_owned()));
    ///
    /// assert!(reply.context.is_some() && reply.decisions.len() == 1);
    /// ```
    #[must_use]
    pub fn with_decision(mut self, decision: Decision) -> Self {
        self.decisions.push(decision);
        self
    }

    /// Sets the block of context; `None` removes it.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let rules = Reply::text("Rule", "Never force push");
    ///
    /// assert!(Reply::ask("push?").with_context(rules.context).context.is_some());
    /// ```
    #[must_use]
    pub fn with_context(mut self, context: impl Into<Option<Context>>) -> Self {
        self.context = context.into();
        self
    }

    /// Adds a line for the person. The model never sees it.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Reply::silent().with_notice("2 notes").notice.as_deref(), Some("2 notes"));
    /// ```
    #[must_use]
    pub fn with_notice(mut self, notice: impl Into<String>) -> Self {
        self.notice = Some(notice.into());
        self
    }

    /// Marks the context as urgent: it is shown even if it was shown before or the session's budget is used
    /// up.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert!(Reply::text("Rule", "Never drop this table").urgent().context.unwrap().urgent);
    /// ```
    #[must_use]
    pub fn urgent(mut self) -> Self {
        if let Some(context) = &mut self.context {
            context.urgent = true;
        }
        self
    }

    /// Tells whether the reply is empty.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert!(!Reply::deny("no").is_silent());
    /// ```
    pub fn is_silent(&self) -> bool {
        self.context.is_none() && self.decisions.is_empty() && self.notice.is_none()
    }
}

impl From<Decision> for Reply {
    fn from(decision: Decision) -> Self {
        Self { decisions: vec![decision], ..Self::silent() }
    }
}

impl From<Context> for Reply {
    fn from(context: Context) -> Self {
        Self { context: Some(context), ..Self::silent() }
    }
}

/// Constructors for the two kinds of item.
impl Item {
    /// Creates an item for a memory that this layer has read during this event. `relevance` is from 0 to 1.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Item::memory("3f2a", 0.7).content, Content::Memory("3f2a".to_owned()));
    /// ```
    pub fn memory(id: impl Into<String>, relevance: f32) -> Self {
        Self { content: Content::Memory(id.into()), relevance }
    }

    /// Creates an item for a text of the layer. `relevance` is from 0 to 1.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Item::text("it rains", 0.2).relevance, 0.2);
    /// ```
    pub fn text(text: impl Into<String>, relevance: f32) -> Self {
        Self { content: Content::Text(text.into()), relevance }
    }
}

impl From<Hit> for Item {
    fn from(hit: Hit) -> Self {
        Self::memory(hit.memory.id, hit.relevance)
    }
}
