/** A plain-text email to one recipient. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Where emails go: a mail server, or a folder for the administrator. */
export interface Mailer {
  /** @throws Error when it could not be delivered to the server; retrying is safe */
  send(email: Email): Promise<void>;
}
