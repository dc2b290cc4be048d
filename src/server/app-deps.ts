import type { FastifyBaseLogger } from 'fastify';
import type { StartJobDeps } from '#usecases/background/job-handler.ts';
import type { BackupSetup } from '#usecases/backup/save-backup-settings.ts';
import type { TestBucketDeps } from '#usecases/backup/test-bucket.ts';
import type { InventoryDeps } from '#usecases/catalog/inventory/sync-veeqo.ts';
import type { EmailDeps } from '#usecases/email/queued-email.ts';
import type { AccountDeps } from '#usecases/identity/accounts/account-deps.ts';
import type { ProviderDeps } from '#usecases/identity/provider/provider-deps.ts';
import type { CheckDeps } from '#usecases/marketplaces/connections/check-connection.ts';
import type { ConsentDeps } from '#usecases/marketplaces/connections/start-consent.ts';
import type { AccountDeletionDeps } from '#usecases/marketplaces/events/account-deletion.ts';
import type { EventDeps } from '#usecases/marketplaces/events/receive-event.ts';
import type { ReceiverDeps } from '#usecases/webhook-receivers/receiver-deps.ts';
import type { LiveStreams } from './live-streams.ts';
import type { TraceRequest } from './request-traces.ts';

/** Everything the app is made of; it reads no environment and opens no connections. */
export type AppDeps = AccountDeps &
  CheckDeps &
  ConsentDeps &
  Pick<EventDeps, 'marketplaceEvents'> &
  Pick<AccountDeletionDeps, 'accountDeletions'> &
  Pick<ProviderDeps, 'identityProvider'> &
  Pick<ReceiverDeps, 'webhookSender'> &
  InventoryDeps &
  Pick<TestBucketDeps, 'openStore'> &
  EmailDeps &
  Pick<StartJobDeps, 'queue'> & {
    readonly backups: BackupSetup;
    readonly log: FastifyBaseLogger;
    /** Not set: requests are not traced. */
    readonly traceRequest?: TraceRequest;
    readonly sessionClock: NonNullable<AccountDeps['sessionClock']>;
    readonly liveStreams: LiveStreams;
    /** Whether the database has exactly the tables of this release. */
    readonly isSchemaCurrent: () => Promise<boolean>;
    /** False from the moment the process starts to shut down. */
    readonly isAccepting: () => boolean;
    /** Folder of the built pages; null serves the API alone. */
    readonly webRoot: string | null;
    /** "1.3.0" */
    readonly version: string;
    readonly publicUrl: string | null;
    readonly boundToLoopback: boolean;
    readonly trustedProxies: readonly string[];
    readonly metricsToken: string | null;
    /** Whether administrators need a second factor before they go live, edit credentials or manage users. */
    readonly requiresTwoFactor: boolean;
    /** Whether the address of a service is replaced: nothing sold there is real. */
    readonly usesTestAddresses: boolean;
    /** A demo installation, with a cookie name of its own. */
    readonly isDemo: boolean;
  };
