import {
  amazonEndpoint,
  asEndpoint,
  type BucketPlace,
  isRegion,
  parseBucketPlace,
} from '#domain/backups/bucket-address.ts';
import { type BackupBucket, openBackupBucket } from '#usecases/backup/backup-bucket.ts';
import { storeOpener } from './connectors.ts';
import type { Running } from './running-program.ts';
import { StartError } from './start-error.ts';

/** Taken by services that know no regions. */
const ANY_REGION = 'us-east-1';

/**
 * Opens a place in a bucket that a command names, with the key of the environment. The variables are those of Amazon's own
 * tools; files and roles of these are not read.
 * @param text "s3://backups/shop"
 * @throws StartError when the text or a variable is missing or wrong
 */
export function environmentBucket(running: Running, text: string): BackupBucket {
  const place = parseBucketPlace(text);
  if (place === null) {
    throw new StartError(`${text} is no place in a bucket. Write it like s3://backups/shop.`, 2);
  }
  return openPlace(running, place);
}

/**
 * Finds a backup that a command names.
 * @param text "s3://backups/shop/pricewright-2026-11-28T140502Z.tar"
 * @throws as {@link environmentBucket}
 */
export function environmentObject(running: Running, text: string): { bucket: BackupBucket; name: string } {
  const [, folder = text, name = ''] = /^(s3:\/\/.*\/)([A-Za-z0-9._-]*)$/.exec(text) ?? [];
  return { bucket: environmentBucket(running, folder), name };
}

function openPlace(running: Running, { bucket: name, prefix }: BucketPlace): BackupBucket {
  const { accessKeyId, secretAccessKey, sessionToken, ...aws } = running.config.aws;
  if (accessKeyId === null || secretAccessKey === null) {
    throw new StartError(
      'A bucket needs its key in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Set both, then try again.',
      2,
    );
  }
  const isAmazon = aws.endpoint === null;
  const region = aws.region ?? (isAmazon ? null : ANY_REGION);
  if (region === null || !isRegion(region)) {
    throw new StartError(
      'A bucket needs its region in AWS_REGION, such as eu-central-1, or the address of another service in AWS_ENDPOINT_URL.',
      2,
    );
  }
  const endpoint = asEndpoint(aws.endpoint ?? amazonEndpoint(region));
  if (endpoint === null) {
    throw new StartError(
      'AWS_ENDPOINT_URL must be an address without a path, such as https://minio.example.com.',
      2,
    );
  }
  // A certificate for all buckets fits no name with a dot.
  const isPathStyle = aws.isPathStyle ?? (!isAmazon || name.includes('.'));
  const bucket = { endpoint, region, name, isPathStyle, accessKeyId, secretAccessKey, sessionToken };
  return openBackupBucket(storeOpener(running), bucket, prefix);
}
