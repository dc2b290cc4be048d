import { useState } from 'react';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Combobox } from '#web/ui/combobox.tsx';
import { type DayRange, DayRangePicker } from '#web/ui/day-range.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { RadioGroupField } from '#web/ui/radio-group-field.tsx';
import { SecondFactorField } from '#web/ui/second-factor-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { TextAreaField } from '#web/ui/text-area-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { Sample, SampleGroup } from './sample.tsx';

const OPTIONS = [
  { value: '', label: 'All Marketplaces' },
  { value: 'walmart', label: 'Walmart' },
];
const SELLERS = ['Undercut Outlet', 'Prairie Supply'];
const SOURCE = {
  queryKey: ['sample-sellers'],
  find: (text: string) =>
    Promise.resolve({ options: SELLERS.filter((name) => name.includes(text)), hasMore: false }),
};

/** What is typed and chosen. */
export function FieldSamples(): React.JSX.Element {
  const [option, setOption] = useState('walmart');
  const [seller, setSeller] = useState('');
  const [days, setDays] = useState<DayRange>({});
  const [code, setCode] = useState('');
  const [isOn, setOn] = useState(true);
  return (
    <SampleGroup name="Fields">
      <Sample name="TextField">
        <TextField label="Name" hint="As the marketplace shows it" defaultValue="Enamel kettle" />
        <TextField label="Name" error="Enter a name" />
        <TextField label="Name" disabled defaultValue="Enamel kettle" />
        <TextField label="Time zone" hint="Where your shop is" isRow fieldClassName="w-full" />
      </Sample>
      <Sample name="NumberField">
        <NumberField label="Product cost" unit="$" defaultValue="12.50" />
        <NumberField label="Step limit" unit="%" defaultValue="150" error="Enter a percentage from 1 to 50" />
      </Sample>
      <Sample name="TextAreaField">
        <TextAreaField label="Note" defaultValue="Ask the supplier." />
      </Sample>
      <Sample name="PasswordField">
        <PasswordField label="Password" defaultValue="a stitch in nine" />
      </Sample>
      <Sample name="SecondFactorField">
        <SecondFactorField value={code} onChange={setCode} />
      </Sample>
      <Sample name="SelectField">
        <SelectField label="Marketplace" options={OPTIONS} value={option} onChange={setOption} />
        <SelectField
          label="Marketplace"
          hideLabel
          compact
          options={OPTIONS}
          value={option}
          onChange={setOption}
        />
      </Sample>
      <Sample name="Combobox">
        <Combobox
          label="Seller"
          source={SOURCE}
          keyOf={(name) => name}
          textOf={(name) => name}
          value={seller}
          onChoose={setSeller}
          noun={{ one: 'seller', many: 'sellers' }}
        />
      </Sample>
      <Sample name="DayRangePicker">
        <DayRangePicker range={days} onChange={setDays} />
      </Sample>
      <Sample name="RadioGroupField">
        <RadioGroupField
          label="No competitor"
          options={[
            { value: 'keep', label: 'Keep the price', hint: 'Until one appears' },
            { value: 'raise', label: 'Raise it' },
            { value: 'other', label: 'Not possible here', disabled: true },
          ]}
          value="keep"
          onChange={() => undefined}
        />
      </Sample>
      <Sample name="Checkbox">
        <Checkbox
          label="Require review"
          checked={isOn}
          onChange={setOn}
          hint="Prices are only recommended."
        />
        <Checkbox label="Some rows" checked="mixed" onChange={() => undefined} />
        <Checkbox label="Disabled" checked={false} disabled onChange={() => undefined} />
      </Sample>
      <Sample name="Switch">
        <Switch label="Auto-Reprice" checked={isOn} onChange={setOn} />
        <Switch label="Disabled" checked={false} disabled onChange={() => undefined} />
      </Sample>
    </SampleGroup>
  );
}
