//! Tests of reading whole files: text that is made to overflow, random tokens, and real files.

mod check;
mod corpus;
mod hostile;
mod soup;
