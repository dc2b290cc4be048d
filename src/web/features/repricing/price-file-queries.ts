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
  /** The moment of the file, which names exactly it; "" when the answer lacks it. */
  upTo: string;
  /** Prices that wait and are not in it. */
  heldBack: number;
};

/** Saves the prices that wait for a marketplace. */
export function useDownloadPriceFile(): UseMutationResult<SavedPriceFile, Error, PriceFile> {
  return useMutation({
    mutationFn: async ({ marketplace, name }) => {
      const answer = await download(`/api/price-file/${marketplace}.csv`);
      saveFile(answer.file, name);
      return {
        upTo: answer.headers.get(PRICE_FILE_MOMENT) ?? '',
        heldBack: Number(answer.headers.get(PRICE_FILE_HELD_BACK) ?? '0'),
      };
    },
    onError: (error) => toast('Could not download the price file', errorText(error), 'destructive'),
  });
}

type Uploaded = { marketplace: Marketplace; upTo: string };

/** Takes the "to upload" marks of a downloaded file off; prices taken since it was made keep theirs. */
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
          : // Taken since the file was made, or left out of it for their margin.
            `${countOf(waiting, 'price was', 'prices were')} not in this file. Download a new file later.`;
      toast(`${countOf(cleared, 'price', 'prices')} marked as uploaded`, rest);
    },
    onError: (error) => toast('Could not mark the prices as uploaded', errorText(error), 'destructive'),
  });
}
