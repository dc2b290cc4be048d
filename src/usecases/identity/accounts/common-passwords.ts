/**
 * Passwords that attackers try first. No leaked list has a suitable license, so this one is generated: well-known words
 * with common endings, keyboard walks, and counted or repeated characters. All entries are lower case and have 8
 * characters or more; shorter ones are rejected by length alone.
 */

const WORDS = `
password passwort passw0rd p@ssword p@ssw0rd pa55word passcode secret letmein welcome welcome1 hello
admin administrator root master login access guest user test tester testing default changeme change temp
temporary manager service support system server backup database oracle mysql postgres windows microsoft
apple google amazon walmart shopify facebook instagram twitter youtube netflix android iphone samsung nokia
internet computer laptop desktop network office company business store shop seller sales market money
dollar million bitcoin crypto wallet credit bank paypal iloveyou loveyou lovely lover forever baby babygirl
sweetheart honey sugar angel princess queen king prince dragon monkey tiger lion panda bear wolf eagle
falcon phoenix unicorn butterfly dolphin shark horse mustang puppy kitty kitten rabbit turtle spider
football baseball basketball soccer hockey tennis golf cricket rugby boxing arsenal chelsea liverpool
barcelona madrid juventus milan lakers yankees cowboys steelers packers eagles raiders bulldog bulldogs
superman batman spiderman ironman avengers starwars skywalker jedi pokemon pikachu naruto minecraft fortnite
zelda mario sonic warcraft matrix hunter ranger killer ninja samurai pirate wizard magic merlin gandalf
shadow phantom ghost demon devil heaven hell jesus christ god godisgood blessed blessing faith grace hope
freedom liberty america canada mexico england london paris berlin germany france italy spain brazil india
china japan russia australia africa texas florida california chicago boston newyork vegas denver dallas
summer winter spring autumn january february march april june july august september october november
december monday tuesday wednesday thursday friday saturday sunday weekend holiday christmas birthday
sunshine rainbow flower rose daisy jasmine lily orchid garden forest ocean river mountain island beach
moon star stars galaxy planet earth fire water thunder lightning storm snow ice cheese chocolate cookie
coffee banana orange cherry strawberry peaches pepper ginger vanilla pumpkin pizza burger whiskey vodka
michael jennifer jessica ashley amanda daniel david robert william james john joseph thomas charles andrew
matthew joshua anthony christopher nicholas jonathan justin brandon tyler jordan austin hannah sarah emily
elizabeth victoria michelle melissa stephanie samantha patricia barbara linda maria natalie nicole rachel
rebecca alexander alexandra benjamin gabriel samuel george richard charlie maggie buster bailey harley
lucky cooper rocky sparky snoopy garfield scooby tigger chester oliver oscar max toby molly sophie chloe
music guitar piano drummer rockstar metallica nirvana beatles eminem purple yellow green silver golden
diamond crystal platinum black white blue red orange1 trustno1 whatever nothing something anything
everything awesome amazing beautiful handsome sexy hotstuff cool coolio loser winner champion success
dream dreamer happy smile laugh peace love family friends mother father mommy daddy brother sister
grandma marina harry potter hogwarts porsche ferrari mercedes corvette camaro toyota honda nissan
yamaha kawasaki suzuki harleydavidson engineer doctor nurse teacher student school college university
science history english soldier marine army navy airforce police fireman captain general colonel major
`
  .trim()
  .split(/\s+/);

const ENDINGS = [
  '',
  ...['1', '2', '7', '11', '12', '13', '21', '22', '23', '69', '77', '88', '99', '00', '01', '007', '101'],
  ...['111', '123', '321', '666', '777', '999', '1234', '12345', '123456', '1234567', '12345678', '4321'],
  ...[
    '!',
    '!!',
    '!!!',
    '?',
    '.',
    '@',
    '#',
    '$',
    '*',
    '1!',
    '12!',
    '123!',
    '1234!',
    '@1',
    '@12',
    '@123',
    '@1234',
  ],
  ...['#1', '#123', '_1', '_123', '-123', '.123', 'abc', 'xyz', 'qwerty', '4u', '4ever', '4me'],
];

const KEYBOARD_ROWS = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
  '1234567890',
  '0987654321',
];
const KEYBOARD_WALKS = [
  ...[
    '1q2w3e4r',
    '1q2w3e4r5t',
    '1q2w3e4r5t6y',
    'q1w2e3r4',
    'q1w2e3r4t5',
    '1qaz2wsx',
    '1qaz2wsx3edc',
    'zaq12wsx',
  ],
  ...[
    'qazwsxedc',
    'qazwsxedcrfv',
    'qweasdzxc',
    'qwe123qwe',
    '123qweasd',
    'qweasd123',
    'asdf1234',
    'qwer1234',
  ],
  ...[
    'zxcv1234',
    '1234qwer',
    '1234asdf',
    'abcd1234',
    '1234abcd',
    'abc12345',
    'a1b2c3d4',
    'aa123456',
    'a1234567',
  ],
  ...[
    'a12345678',
    '123456789a',
    'q1234567',
    'qwerty123456',
    'asdfasdf',
    'qwerqwer',
    'zxczxczxc',
    'asdasdasd',
  ],
  ...[
    'qweqweqwe',
    '147258369',
    '159753456',
    '987654321',
    '741852963',
    '789456123',
    '123321123',
    '112233445566',
  ],
];
const THIS_CENTURY = Array.from({ length: 31 }, (_, year) => String(2000 + year));
const LAST_CENTURY = Array.from({ length: 50 }, (_, year) => String(1950 + year));

function* repeated(): Generator<string> {
  const patterns = [
    ...'abcdefghijklmnopqrstuvwxyz0123456789!.*',
    'ab',
    'abc',
    'abcd',
    '12',
    '123',
    '1234',
    '123a',
  ];
  for (const pattern of [...patterns, 'password', 'qwerty', 'test', 'love', 'admin', 'hello']) {
    for (let times = 2; times <= 20; times += 1) yield pattern.repeat(times);
  }
}

/** Every part of a keyboard row, of the alphabet and of the digits, forward, backward and doubled. */
function* walks(): Generator<string> {
  for (const row of [...KEYBOARD_ROWS, 'abcdefghijklmnopqrstuvwxyz', '01234567890123456789']) {
    for (let start = 0; start < row.length; start += 1) {
      for (let end = start + 4; end <= row.length; end += 1) {
        const walk = row.slice(start, end);
        const back = [...walk].reverse().join('');
        yield* [walk, back, walk + walk, walk + back, `${walk}1`, `${walk}123`, `${walk}!`];
      }
    }
  }
  yield* KEYBOARD_WALKS;
}

function* wordsWithEndings(): Generator<string> {
  const endings = [...ENDINGS, ...THIS_CENTURY, ...LAST_CENTURY, ...THIS_CENTURY.map((year) => `${year}!`)];
  for (const word of WORDS) {
    for (const ending of endings) yield word + ending;
    yield* [word + word, `1${word}`, `123${word}`, `my${word}`, `the${word}`, `i${word}`, `${word}s`];
  }
}

function build(): ReadonlySet<string> {
  const all = new Set<string>();
  for (const source of [wordsWithEndings(), walks(), repeated()]) {
    for (const entry of source) if (entry.length >= 8) all.add(entry);
  }
  return all;
}

export const COMMON_PASSWORDS: ReadonlySet<string> = build();
