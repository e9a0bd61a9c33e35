//! What a card says.

/// The cards of all leases that were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The commit that is checked out, where there is one.
    pub commit: Option<String>,
    /// The day of the card, in UTC.
    pub today: jiff::civil::Date,
    /// The leases, in the order of the rules file.
    pub leases: Vec<LeaseCard>,
}

impl Card {
    /// Whether a row of a lease stops.
    pub fn stops(&self) -> bool {
        self.leases.iter().any(|lease| lease.answer() == Answer::Stop)
    }
}

/// The card of one lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseCard {
    /// Its name.
    pub name: String,
    /// One a question.
    pub rows: Vec<Row>,
}

impl LeaseCard {
    /// The gravest answer of its rows.
    pub fn answer(&self) -> Answer {
        self.rows.iter().map(|row| row.answer).max().unwrap_or(Answer::Stop)
    }
}

/// One question and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The question.
    pub question: &'static str,
    /// The answer.
    pub answer: Answer,
    /// What it rests on; at least one line.
    pub evidence: Vec<Evidence>,
}

/// An answer. Later ones are graver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// Nothing is in the way.
    Go,
    /// Somebody should look at it; it stops nothing.
    Look,
    /// This must be settled first.
    Stop,
}

impl Answer {
    /// The word on the card.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Go => "GO",
            Self::Look => "LOOK",
            Self::Stop => "STOP",
        }
    }
}

/// A line that an answer rests on. It may hold text from the checked workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// One sentence without a full stop.
    pub text: String,
    /// Where it can be seen: `src/lease.rs:9`.
    pub place: Option<String>,
}

impl Evidence {
    /// Without a place.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), place: None }
    }
}
