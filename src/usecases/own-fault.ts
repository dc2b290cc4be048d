/** What people are told of an error that nobody expected, while the log has what it was. */
export const OWN_FAULT = 'Something went wrong here, not there. The log has the details; it is tried again.';
