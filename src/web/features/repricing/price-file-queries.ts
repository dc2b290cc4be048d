import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { PRICE_FILE_HELD_BACK, PRICE_FILE_MOMENT, PriceFileCleared } from '#contract/price-file.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { call, download, errorText } from '#web/lib/api.ts';
import { saveFile } from '#web/lib/download.ts';
import { ENGINE_KEY } from '#web/lib/engine.ts';
import { countOf } from '#web/lib/format.ts';
import { toast } from '#web/lib/use-toast.ts';

type PriceFile = { marketplace: Marketplace; name: string };
type SavedPriceFile = {
  /** Time of the file, which identifies it; "" if the response has none. */
  upTo: string;
  /** Waiting prices that are not in it. */
  excludedCount: number;
};

/** Downloads the waiting prices of a marketplace. */
export function useDownloadPriceFile(): UseMutationResult<SavedPriceFile, Error, PriceFile> {
  return useMutation({
    mutationFn: async ({ marketplace, name }) => {
      const answer = await download(`/api/price-file/${marketplace}.csv`);
      saveFile(answer.file, name);
      return {
        upTo: answer.headers.get(PRICE_FILE_MOMENT) ?? '',
        excludedCount: Number(answer.headers.get(PRICE_FILE_HELD_BACK) ?? '0'),
      };
    },
    onError: (error) => toast('Could not download the price file', errorText(error), 'destructive'),
  });
}

type Uploaded = { marketplace: Marketplace; upTo: string };

/** Marks the prices of a downloaded file as uploaded; prices applied afterwards stay. */
export function useMarkUploaded(): UseMutationResult<PriceFileCleared, Error, Uploaded> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ marketplace, upTo }) =>
      call(PriceFileCleared, 'POST', `/api/price-file/${marketplace}/uploaded`, { upTo }),
    onSuccess: async ({ cleared, waiting }, { marketplace }) => {
      await client.invalidateQueries({ queryKey: [...ENGINE_KEY, 'status'] });
      const name = MARKETPLACE_NAMES[marketplace];
      const rest =
        waiting === 0
          ? `All prices for ${name} are uploaded.`
          : // Applied after the file was made, or excluded because of their margin.
            `${countOf(waiting, 'price was', 'prices were')} not in this file. Download a new file later.`;
      toast(`${countOf(cleared, 'price', 'prices')} marked as uploaded`, rest);
    },
    onError: (error) => toast('Could not mark the prices as uploaded', errorText(error), 'destructive'),
  });
}
