/** A message to one person, in plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Where messages go: a mail server, or a folder for the administrator. */
export interface Mailer {
  /** @throws Error when it could not be handed over; trying again later is safe */
  send(mail: Mail): Promise<void>;
}
