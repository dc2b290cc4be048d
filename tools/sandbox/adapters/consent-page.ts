import type { FastifyReply } from 'fastify';

interface ConsentPage {
  /** "eBay" */
  readonly name: string;
  /** The name of the application that requests access. */
  readonly application: string;
  readonly rights: readonly string[];
  /** The addresses to redirect to on agreement and on refusal. */
  readonly yes: string;
  readonly no: string;
}

/** The page on which a seller grants or denies access. */
export function sendConsentPage(reply: FastifyReply, page: ConsentPage): FastifyReply {
  const { name, application, rights, yes, no } = page;
  const items = rights.map((right) => `<li>${escaped(right)}</li>`).join('');
  return sendPage(
    reply,
    `${name}, simulated`,
    `<p><strong>${escaped(application)}</strong> asks you to let it act for your shop:</p><ul>${items}</ul>
<p><a href="${escaped(yes)}">Agree and continue</a></p><p><a href="${escaped(no)}">No thanks</a></p>`,
  );
}

/** The marketplace's own last page, for sellers who set no redirect address. */
export function sendLastPage(reply: FastifyReply, name: string): FastifyReply {
  return sendPage(
    reply,
    `${name}, simulated`,
    `<p>Thank you. Your answer is in the address of this page.</p>`,
  );
}

function sendPage(reply: FastifyReply, title: string, body: string): FastifyReply {
  const style = 'body{font:16px/1.5 sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem}';
  return reply
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${style}</style><h1>${escaped(title)}</h1>${body}</html>`,
    );
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** The address with parameters added to its query. */
export function withQuery(address: string, query: Readonly<Record<string, string>>): string {
  const parts = new URLSearchParams(query).toString().replaceAll('+', '%20');
  return `${address}${address.includes('?') ? '&' : '?'}${parts}`;
}
