import { BrandMark } from '#web/ui/brand.tsx';

/** The frame of a page that a link from an email opens: no navigation, since its reader may not be logged in. */
export function GuestPage({ children }: { children: React.ReactNode }): React.JSX.Element {
  return (
    <main id="main" className="flex min-h-dvh flex-col p-4 sm:p-8">
      <div className="flex items-center gap-2.5 text-lg font-semibold">
        <BrandMark className="size-8" />
        Pricewright
      </div>
      {children}
    </main>
  );
}
