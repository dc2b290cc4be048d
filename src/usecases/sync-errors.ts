/** The text that users see for an unexpected error; the log has its details. */
export const SYNC_FAILED =
  'Pricewright failed to sync. It retries automatically; see the server log for details.';

/** The same for messages that a marketplace pushes. */
export const NOTIFICATIONS_FAILED =
  'Pricewright failed to process notifications. It retries automatically; see the server log for details.';
