import { useState } from 'react';
import { Card } from '#web/ui/card.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { TracedLines } from '#web/ui/traced-lines.tsx';
import { Sample, SampleGroup } from './sample.tsx';

const LINE = { condition: null, value: null, want: null, least: null, restsUntil: null } as const;

/** Rows, and the way to more of them. */
export function ListSamples(): React.JSX.Element {
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(25);
  return (
    <SampleGroup name="Lists">
      <Sample name="PlainTable and Pager">
        <Card className="w-full p-0">
          <PlainTable caption="Sample prices" isBare>
            <thead>
              <tr>
                <HeadCell>Product</HeadCell>
                <HeadCell numeric>Price</HeadCell>
              </tr>
            </thead>
            <tbody>
              <tr>
                <Cell>Enamel kettle</Cell>
                <Cell numeric>$38.49</Cell>
              </tr>
              <tr>
                <Cell>Merino scarf</Cell>
                <Cell numeric>$41.47</Cell>
              </tr>
            </tbody>
          </PlainTable>
          <Pager page={page} size={size} total={600} sizes={[25, 50]} onPage={setPage} onSize={setSize} />
        </Card>
      </Sample>
      <Sample name="TracedLines">
        <TracedLines
          lines={[
            {
              ...LINE,
              line: 1,
              text: 'winning: hold',
              status: 'condition',
              condition: 'winning',
              value: 'losing',
            },
            { ...LINE, line: 2, text: '$0.05 under the lowest', status: 'decided', want: '38.44' },
            { ...LINE, line: 3, text: 'otherwise: own price', status: 'not_asked' },
          ]}
        />
      </Sample>
    </SampleGroup>
  );
}
