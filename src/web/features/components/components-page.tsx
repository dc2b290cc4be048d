import { PageHeading } from '#web/ui/page-heading.tsx';
import { ButtonSamples } from './button-samples.tsx';
import { ChartSamples } from './chart-samples.tsx';
import { FieldSamples } from './field-samples.tsx';
import { FigureSamples } from './figure-samples.tsx';
import { LayerSamples } from './layer-samples.tsx';
import { ListSamples } from './list-samples.tsx';
import { StateSamples } from './state-samples.tsx';

/** Every shared component with its states, in both themes next to each other. Only in development builds. */
export function ComponentsPage(): React.JSX.Element {
  return (
    <main className="flex flex-col gap-6 p-6">
      <PageHeading title="Components" subtitle="Every shared component with its states, in both themes" />
      <div className="grid gap-6 2xl:grid-cols-2">
        <Theme name="Light" className="light" />
        <Theme name="Dark" className="dark" />
      </div>
    </main>
  );
}

function Theme({ name, className }: { name: string; className: string }): React.JSX.Element {
  return (
    <section
      aria-label={name}
      className={`${className} flex min-w-0 flex-col gap-6 rounded-lg border bg-canvas p-4 text-fg`}
    >
      <ButtonSamples />
      <FieldSamples />
      <StateSamples />
      <FigureSamples />
      <ListSamples />
      <LayerSamples />
      <ChartSamples />
    </section>
  );
}
