import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { BrandMark } from '#web/ui/brand.tsx';
import { Button } from '#web/ui/button.tsx';
import { Freshness } from '#web/ui/freshness.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { RangeControl } from '#web/ui/range-control.tsx';
import { Tab, TabBar, TabGroup, TabPanel } from '#web/ui/tabs.tsx';
import { Sample, SampleGroup } from './sample.tsx';

const LOOKS = ['primary', 'outline', 'quiet', 'danger'] as const;
const RANGES = [
  { value: '7', label: '7d' },
  { value: '30', label: '30d' },
] as const;

/** What is pressed, and the two ways to choose what is shown. */
export function ButtonSamples(): React.JSX.Element {
  const [range, setRange] = useState<'7' | '30'>('30');
  return (
    <SampleGroup name="Actions">
      <Sample name="Button">
        {LOOKS.map((look) => (
          <Button key={look} look={look}>
            {look}
          </Button>
        ))}
        <Button disabled>Disabled</Button>
        <Button pending pendingText="Saving...">
          Save
        </Button>
        <Button look="outline" size="small">
          In a toolbar
        </Button>
      </Sample>
      <Sample name="IconButton">
        <IconButton name="Edit">
          <Pencil aria-hidden />
        </IconButton>
        <IconButton name="Delete" isSmall disabled>
          <Trash2 aria-hidden />
        </IconButton>
      </Sample>
      <Sample name="RangeControl">
        <RangeControl name="Range" ranges={RANGES} value={range} onChange={setRange} />
      </Sample>
      <Sample name="Tabs">
        <TabGroup defaultValue="all" className="w-full">
          <TabBar aria-label="Sample tabs">
            <Tab value="all">All rules (4)</Tab>
            <Tab value="active">Active (3)</Tab>
          </TabBar>
          <TabPanel value="all">All of them.</TabPanel>
          <TabPanel value="active">The active ones.</TabPanel>
        </TabGroup>
      </Sample>
      <Sample name="Freshness">
        <Freshness updatedAt={Date.UTC(2026, 10, 21, 14, 5)} refreshing={false} onRefresh={() => undefined} />
        <Freshness updatedAt={Date.UTC(2026, 10, 21, 14, 5)} refreshing onRefresh={() => undefined} />
      </Sample>
      <Sample name="BrandMark">
        <BrandMark className="size-6" />
      </Sample>
    </SampleGroup>
  );
}
