import type { GateCase } from '../support.ts';

/** Commands that an agent that writes software runs all day: none of it is worth a question. */
const commands = String.raw`
ls -la src test | head -50
cat package.json | jq '.scripts'
jq -r '.dependencies | keys[]' package.json
grep -rn "TODO" --include='*.ts' src
grep -E '^(import|export)' src/index.ts | wc -l
grep -c '' src/*.ts
rg -n --glob '!node_modules' 'createServer' .
rg -tts 'interface \w+' src -A 3
find . -type f -name '*.ts' -not -path './node_modules/*' | head
find src -newer package.json -print0 | xargs -0 ls -l
tree -L 2 -I node_modules
wc -l $(git ls-files '*.ts')
head -n 40 README.md && tail -n 20 README.md
sed -n '10,40p' src/main.ts
sed -i.bak 's/foo/bar/g' src/a.ts
sed -i -e 's/a/b/' -e '/^#/d' conf.ini
awk -F, 'NR > 1 {sum += $3} END {print sum}' data.csv
awk '$1 == "x" && $2 > 10' data.txt
sort -t, -k2,2n data.csv | uniq -c | sort -rn | head -5
cut -d: -f1 /data/shared/users.txt
paste -d, a.txt b.txt
tr -d '\r' < a.txt > b.txt
diff -u a.txt b.txt || true
comm -12 <(sort a) <(sort b)
du -sh node_modules
stat -c %s dist/app.js
file dist/app.js
md5sum a b
date '+%Y-%m-%d'
echo "version=$(node --version 2>/dev/null || echo none)" | cat
basename "$PWD"
npm ci --ignore-scripts
npm install --save-dev vitest
npm run build --if-present
npm test -- --run src/a.test.ts
npm run lint -- --fix
npm outdated || true
npm ls --depth=0
npx vitest run test/a.test.ts
npx tsc -p . --noEmit
npx eslint src --ext .ts --max-warnings 0
pnpm install --frozen-lockfile
pnpm -r run build
yarn workspace web build
bun test
node dist/main.js --port 3000
node --experimental-strip-types src/main.ts
node scripts/gen.mjs > src/generated.ts
deno test -A
tsx src/main.ts
python -m venv .venv
.venv/bin/python -m pip install -e .
python3 -m pytest tests -k "not slow" -x
pytest -q --maxfail=1 2>&1 | tail -30
mypy src
ruff check --fix .
black --check .
poetry install --no-root
poetry run pytest
uv sync
uv run pytest -q
pip freeze > requirements.txt
cargo fmt --check && cargo clippy -- -D warnings
cargo test --all-features
go build ./... && go vet ./...
go test -run TestX -count=1 ./pkg/...
go mod tidy
gofmt -l .
mvn -B verify
./gradlew test --info
dotnet test
bundle exec rspec
rake test
composer install
php artisan test
mix test
make
make -j"$(nproc)" all
make clean
cmake -S . -B build && cmake --build build -j 4
ctest --test-dir build
ninja -C build
gcc -Wall -O2 -o app main.c -lm
g++ -std=c++20 -c x.cpp -o x.o
clang-format -i src/x.cpp
docker build -t app:dev .
docker compose ps
docker logs app --tail 100
docker run --rm app:dev npm test
kubectl get pods -o wide
helm template chart
terraform fmt -check
git status --porcelain=v1 -b
git diff --stat origin/main...HEAD
git log -p -1 -- src/a.ts
git log --since='2 weeks ago' --author=me --oneline
git blame -L 10,20 src/a.ts
git show --name-only HEAD~2
git add src/a.ts test/a.test.ts
git add -p
git commit -m 'Fix: drop table view, force refresh'
git commit -F message.txt
git stash push -m wip
git checkout -b fix/issue-12
git switch main
git merge origin/main
git fetch origin main
git pull origin main
git tag -a v1.0.0 -m 'Release 1.0.0'
git remote add upstream https://example.com/x.git
git rev-parse --show-toplevel
git ls-files --others --exclude-standard
git check-ignore -v dist
git worktree list
git cherry-pick -x abc123
git format-patch -1 HEAD
git apply fix.patch
git bisect start HEAD v1.0.0
git describe --tags --always
mkdir -p src/lib test/lib
touch src/lib/index.ts
cp src/a.ts src/b.ts
cp -r templates/app apps/new
mv src/old.ts src/new.ts
ln -s ../shared/config.json apps/web/config.json
rm src/unused.ts
rm a.txt b.txt c.txt
rmdir empty
tee notes.md <<< 'hello'
cat >> CHANGELOG.md <<'E'
printf '%s\n' one two three > list.txt
echo 'export const x = 1;' > src/x.ts
echo "a" >> log.txt 2>/dev/null
: > log.txt
tar -czf dist.tgz -C dist .
tar -xzf archive.tgz -C vendor --strip-components=1
unzip -o archive.zip -d vendor
zip -qr out.zip dist
gzip -k big.json
base64 < logo.png > logo.b64
curl -sS https://example.com/api/health
curl -X POST -H 'Content-Type: application/json' -d '{"a":1}' http://localhost:3000/x
curl -fsSL https://example.com/data.json -o data.json
wget -q https://example.com/x.tar.gz
http GET localhost:3000/health
ps aux | grep node
kill %1
lsof -i :3000
sleep 1
true
test -d dist && echo built || echo missing
[ -n "$CI" ] && echo ci
[[ "$(uname)" == Linux ]] && echo linux
if ! command -v jq > /dev/null; then echo "no jq"; fi
for i in $(seq 1 3); do echo "try $i"; done
for d in packages/*/; do echo "$d"; done
for f in a b c; do [ -f "$f.txt" ] && wc -l "$f.txt"; done
for f in src/*.js; do node --check "$f"; done
while IFS= read -r line; do echo "$line"; done < list.txt
i=0; while [ $i -lt 3 ]; do i=$((i+1)); done
n=$(grep -c x a.txt); [ "$n" -gt 0 ] && echo found
start=$(date +%s); npm test; end=$(date +%s); echo $((end - start))
export NODE_ENV=test && npm test
FORCE_COLOR=0 npm test
CI=1 npm run build
(cd web && npm run build) && (cd api && npm run build)
cd web && npm ci && npm run build && cd ..
pushd web && npm test && popd
npm test > out.log 2>&1; tail -5 out.log
npm test 2>&1 | tee out.log | tail -5
npm start & sleep 2; curl -s localhost:3000; kill $!
timeout 30 node server.js || true
time npm run build
set -o pipefail; npm test | tail -3
psql "$DATABASE_URL" -c 'SELECT count(*) FROM users'
psql -h localhost -U app -d app -f migrations/001.sql
sqlite3 app.db '.schema users'
mysql -u root app -e 'SHOW CREATE TABLE users'
redis-cli ping
npx prisma generate
npx prisma migrate deploy
npx playwright test --reporter=line
xargs -n 1 -P 4 prettier --check < files.txt
openssl x509 -in cert.crt -noout -text
ssh-keygen -l -f key.pub
chmod +x scripts/*.sh
chmod 644 README.md
convert a.png b.jpg
ffmpeg -i in.mp4 out.gif
pandoc README.md -o README.html
man ls | head
which node npm git
node --version; npm --version
env | sort
hexdump -C a.bin | head
yes | head -3
seq 10 | xargs
`;

/** The one that ends in a text gets its text. */
const withText = (line: string): string => (line.endsWith("<<'E'") ? `${line}\n- Added\nE` : line);

export const everydayCases: readonly GateCase[] = commands
  .split('\n')
  .filter((line) => line !== '')
  .map((line): GateCase => [withText(line), 'allow']);
