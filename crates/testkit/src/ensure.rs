/// Returns an error with the message `why` unless the condition holds. A comparison with NaN does
/// not hold.
macro_rules! ensure {
    ($holds:expr, $($why:tt)+) => {
        if $holds {
        } else {
            return Err(format!($($why)+));
        }
    };
}
