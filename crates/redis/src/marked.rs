//! Reads from a filter together with its mark.

use redis::{Cmd, Value, pipe};

use crate::{
    Result, Retry,
    error::{Tried, Trouble, lost, unexpected},
    name::Name,
    wire::{Attempts, Wire},
};

/// Executes a call on a filter. If the filter is gone because it was rebuilt, switches to the new
/// generation and executes the call once more.
macro_rules! following {
    ($filter:expr, $wire:expr, $call:expr) => {{
        let asked = $filter.known().settings.generation;
        match $call.await {
            Err(crate::Error::FilterLost { how, .. }) => {
                $filter.follow($wire, asked, how).await?;
                $call.await
            }
            done => done,
        }
    }};
}
pub(crate) use following;

/// The reply to a command that reads, with a query before and after it that checks whether the
/// filter exists. All three run in one transaction, or in a plain pipeline if the server rejects
/// transactions, for example because its memory is full.
pub(crate) async fn read_marked(
    wire: &mut impl Wire,
    (name, retry): (&Name, Retry),
    (command, cmd): (&'static str, &Cmd),
    question: Cmd,
    is_there: impl Fn(Value) -> Tried<()>,
) -> Result<Value> {
    let mut attempts = Attempts::new(retry);
    let mut all = pipe();
    all.atomic();
    all.add_command(question.clone());
    all.add_command(cmd.clone());
    all.add_command(question);
    let checked = |replies: Vec<Value>| {
        let [before, reply, after] = <[Value; 3]>::try_from(replies)
            .map_err(|other| unexpected(command, &Value::Array(other)))?;
        // The marks are checked before the reply, because a lost filter is the cause of an error in
        // the reply.
        is_there(before.extract_error()?)?;
        is_there(after.extract_error()?)?;
        Ok(reply.extract_error()?)
    };
    loop {
        match wire
            .many(&all)
            .await
            .map_err(Trouble::from)
            .and_then(&checked)
        {
            Ok(reply) => return Ok(reply),
            Err(Trouble::Lost(how)) => return Err(lost(name, how)),
            Err(Trouble::Failed(error)) if error.code().is_some() && all.is_transaction() => {
                let commands: Vec<Cmd> = all.cmd_iter().cloned().collect();
                all = pipe();
                for cmd in commands {
                    all.add_command(cmd);
                }
            }
            Err(Trouble::Failed(error)) => attempts.failed(wire, command, error).await?,
            Err(Trouble::Fatal(error)) => return Err(error),
        }
    }
}
