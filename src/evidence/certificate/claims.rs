//! What a certificate says, and of which model.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::evidence::StepRecord;
use crate::lang::{Environment, Model};

/// The model that a certificate is about: its text, and how it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// The program that made the certificate.
    pub made_by: String,
    /// Of the text of the model, without a byte order mark.
    pub sha256: String,
    /// Constants that were given another value.
    pub definitions: Vec<(String, String)>,
    /// `lazy` or `eager`; `none` in DVE.
    pub environment: String,
    /// `dve`; nothing: our own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// Some properties hold: the states that follow are closed under all steps, and none violates them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofClaim {
    pub properties: Vec<String>,
    /// What is told apart, as an `abstraction { }`; none where everything is.
    pub precision: Option<String>,
    /// Steps in which a number leaves its type are not looked at.
    pub assumes_no_overflow: bool,
    /// Runs beyond the capacity of an inbox whose policy is `cut` are not looked at.
    pub up_to_bound: bool,
}

/// A property is violated: by these steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ViolationClaim {
    pub property: String,
    pub steps: Vec<StepRecord>,
}

/// The language of `Subject` for DVE programs.
pub const DVE: &str = "dve";

impl Subject {
    pub fn new(text: &str, definitions: &[(String, String)], model: &Model) -> Subject {
        let environment = match model.environment {
            Environment::Lazy => "lazy",
            Environment::Eager => "eager",
        };
        Subject::of(text, definitions, environment, None)
    }

    pub fn of_dve(text: &str, definitions: &[(String, String)]) -> Subject {
        Subject::of(text, definitions, "none", Some(DVE))
    }

    fn of(
        text: &str,
        definitions: &[(String, String)],
        environment: &str,
        language: Option<&str>,
    ) -> Subject {
        Subject {
            made_by: concat!("crisol ", env!("CARGO_PKG_VERSION")).to_owned(),
            sha256: sha256(text),
            definitions: definitions.to_vec(),
            environment: environment.to_owned(),
            language: language.map(str::to_owned),
        }
    }
}

pub fn sha256(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
