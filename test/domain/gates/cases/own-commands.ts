import type { GateCase } from '../support.ts';

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** Commands by which a person answers, trusts, allows, starts or takes back: none of them is an agent's. */
const denied = String.raw`
heddle decide T D approve
heddle decide T D approve --scope signature
heddle --json decide T D approve
heddle trust
heddle trust --revoke
heddle undo T
heddle retry T
heddle run plan.yaml
heddle run "delete everything"
heddle plan goal
heddle steer T go
heddle cancel T
heddle pause T
heddle resume T
heddle init
heddle prune
heddle up
heddle down
heddle worker
heddle auth set x
heddle memory set p s approve
heddle memory import p file.json
heddle memory forget p s
heddle memory p --forget
heddle unheard-of
heddle $VERB T D approve
heddle "$(echo decide)" T D approve
npx heddle decide T D approve
npx -y heddle@1.2.3 trust
npx --yes --package=heddle heddle undo T
npx -p heddle -c 'heddle decide T D approve'
npm exec heddle -- decide T D approve
npm exec -- heddle trust
pnpm heddle decide T D approve
pnpm exec heddle trust
pnpm dlx heddle@latest trust
yarn heddle trust
yarn dlx heddle trust
bunx heddle trust
bun x heddle trust
corepack pnpm heddle trust
./node_modules/.bin/heddle trust
node_modules/.bin/heddle decide T D approve
/usr/local/bin/heddle decide T D approve
bin/heddle.js decide T D approve
node bin/heddle.js decide T D approve
node --no-warnings bin/heddle.js trust
node ./node_modules/heddle/bin/heddle.js undo T
bun bin/heddle.js trust
sh -c 'heddle decide T D approve'
bash -c "cd x && heddle trust"
env HEDDLE_TRUST=1 heddle run plan.yaml
HEDDLE_HOME=x heddle trust
nohup heddle trust
timeout 5 heddle decide T D approve
echo T | xargs heddle undo
find . -name T -exec heddle undo {} +
unheard-of-wrapper heddle decide T D approve
ls && heddle trust
echo "$(heddle trust)"
heddle status && heddle decide T D approve
H=heddle; command heddle trust
`;

const harmless = String.raw`
heddle
heddle status T
heddle --json status T
heddle status T --json
heddle list
heddle logs T build
heddle logs T build --transcript
heddle report T
heddle diff T
heddle inbox
heddle watch T
heddle models
heddle config
heddle doctor
heddle memory
heddle memory my-project
heddle memory export
heddle --version
heddle help
npx heddle list
node bin/heddle.js status T
echo heddle decide T D approve
grep -rn "heddle decide" docs
rg 'heddle trust' docs
git commit -m "heddle trust is explained"
cat docs/heddle.md
ls heddle
npm install heddle
npm view heddle version
cp heddle.example.txt notes.txt
heddlex decide
`;

export const ownCommandCases: readonly GateCase[] = [
  ...lines(denied).map((text): GateCase => [text, 'deny']),
  ...lines(harmless).map((text): GateCase => [text, 'allow']),
];
