import { useQuery } from '@tanstack/react-query';
import type { AccountDeletionSettings } from '#contract/marketplace-events.ts';
import { errorText } from '#web/lib/api.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { accountDeletionQuery } from './connection-queries.ts';

/** What an administrator copies to eBay, which keeps a production keyset disabled without it. */
export function AccountDeletionBlock(): React.JSX.Element {
  const settings = useQuery(accountDeletionQuery);
  return (
    <section aria-label="Deleted eBay accounts" className="flex max-w-[80ch] flex-col gap-3 border-t pt-4">
      <h3 className="font-medium">Marketplace account deletion</h3>
      <p className="text-fg-muted">
        eBay enables a production keyset after you enter an address for its messages about deleted accounts,
        under Alerts and Notifications of the keyset. Pricewright stores no names of other sellers on eBay: it
        shows labels such as “Seller 3f9a”, and deletes the offers of a seller whose account was deleted.
      </p>
      {settings.data !== undefined && <Endpoint {...settings.data} />}
      {settings.isError && <p className="text-danger-text">{errorText(settings.error)}</p>}
    </section>
  );
}

function Endpoint({ address, verificationToken, noticedAt }: AccountDeletionSettings): React.JSX.Element {
  if (address === null) {
    return (
      <p className="text-fg-muted">
        This server has no public https address (PUBLIC_URL), so eBay cannot reach it. Ask eBay for the
        exemption on the same page: eBay decides by what you state about the data that you store.
      </p>
    );
  }
  return (
    <>
      <Copied label="Notification endpoint" text={address} />
      <Copied label="Verification token" text={verificationToken} />
      <p className="text-fg-muted">
        {noticedAt === null ? (
          'No message has arrived yet. eBay checks the address when you save it there.'
        ) : (
          <>
            The last message arrived <MomentText iso={noticedAt} />.
          </>
        )}
      </p>
    </>
  );
}

async function copy(label: string, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast('Copied', `${label} is in the clipboard.`);
  } catch {
    // Browsers offer the clipboard only on https and loopback.
    toast('Select the text and press Ctrl+C', 'This browser blocked copying.');
  }
}

function Copied({ label, text }: { label: string; text: string }): React.JSX.Element {
  return (
    <div>
      <p className="text-fg-muted">{label}</p>
      <div className="flex flex-wrap items-center gap-2">
        <code className="font-mono break-all select-all">{text}</code>
        <Button
          look="outline"
          aria-label={`Copy ${label.toLowerCase()}`}
          onClick={() => void copy(label, text)}
        >
          Copy
        </Button>
      </div>
    </div>
  );
}
