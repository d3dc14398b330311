import type { Danger } from '../../../../domain/types/basic/gate.ts';
import type { GateCase } from '../support.ts';

/** Commands that must be asked about, by danger: one command a line. */
const asked: Readonly<Partial<Record<Danger, string>>> = {
  delete: String.raw`
npx rimraf@5 dist
docker compose -f x.yml down -v
docker compose -p a -f x.yml down --volumes
fdupes --delet .
pulumi down
eb terminate
ecs-cli down
doctl compute droplet rm x
gh api -X DELETE repos/x/y
gh api --method=DELETE repos/x/y
kubectl delete ns prod help
ibmcloud resource service-instance-delete x
fly volumes rm x
npx -y rimraf@latest dist
npx --yes rimraf dist
pnpm rimraf dist
pnpm dlx rimraf@5 dist
pnpm exec rimraf dist
yarn rimraf dist
yarn dlx rimraf dist
bunx rimraf dist
bun x rimraf@6 dist
npm exec rimraf@5 -- dist
npm x -- rimraf dist
npx -p rimraf@5 -c 'rimraf dist'
npx del-cli@5 dist
deno run -A npm:rimraf@5 dist
corepack npx rimraf dist
volta run rimraf dist
mise exec -- rm -rf dist
lerna exec -- rm -rf dist
docker image rm -f x
docker container rm -f x
docker container rm -v x
docker image remove --force x
docker compose down -v
docker compose down --volumes
docker-compose down -v
docker compose rm -fv
docker stack rm x
docker buildx prune -af
docker swarm leave --force
podman pod rm -f x
podman system reset
nerdctl rm -f x
podman container rm -a
fdupes --delete -N .
fdupes -rdN .
jdupes -rdN .
rdfind -deleteduplicates true .
bfs . -name x -delete
7z a -sdel a.7z src
7za a a.7z src -sdel
rar m a.rar src
hg purge
hg purge --all
hg rm -f x
svn delete --force x
svn rm https://example.com/svn/x -m y
svn cleanup --remove-unversioned
gcloud projects delete x
gcloud compute instances delete vm-1 --quiet
gcloud sql instances delete db
gcloud storage rm -r gs://x
gcloud storage buckets delete gs://x
gsutil rb gs://x
gsutil -m rm -r gs://x
az group delete -n x --yes
az vm delete --name x
az storage blob delete-batch -s c
aws rds delete-db-instance --db-instance-identifier x
aws cloudformation delete-stack --stack-name x
aws ec2 terminate-instances --instance-ids i-1
aws dynamodb delete-table --table-name x
aws --profile p s3 rb s3://x
aws s3 sync a s3://x --delete
aws lambda delete-function --function-name x
aws sqs purge-queue --queue-url x
cdk destroy
npx cdk destroy --all
npx aws-cdk@2 destroy
cdktf destroy
sls remove
npx serverless@3 remove
sam delete
npx sst remove
terraform state rm x
terraform workspace delete x
terraform apply -destroy
tofu destroy
terragrunt run-all destroy
pulumi destroy -y
pulumi stack rm x
vercel rm x
npx vercel@latest remove x
netlify sites:delete x
npx netlify-cli sites:delete x
wrangler delete
npx wrangler d1 delete x
npx wrangler@3 r2 bucket delete x
heroku apps:destroy x
heroku addons:destroy x
firebase firestore:delete --all-collections
npx firebase-tools functions:delete f
fly apps destroy x
flyctl volumes destroy x
doctl compute droplet delete x
hcloud server delete x
linode-cli linodes delete 1
eksctl delete cluster x
kind delete cluster
k3d cluster delete x
minikube delete
helm uninstall x
oc delete project x
argocd app delete x
gh repo delete x --yes
gh run delete 1
gh release delete v1
rclone purge remote:x
mc rb --force x/y
s3cmd rb s3://x
azcopy remove https://x
vault kv delete secret/x
consul kv delete -recurse x
rabbitmqctl delete_queue x
kafka-topics --delete --topic x
conda env remove -n x
zfs destroy tank/x
btrfs subvolume delete x
multipass delete x
lxc delete x
virsh undefine x
bazel clean --expunge
`,
  history: String.raw`
bfg --delete-files x
bfg --strip-blobs-bigger-than 1M
git-filter-repo --path x --invert-paths
python git-filter-repo --path x
hg strip tip
hg push --force
hg push -f
hg histedit
hg rebase -d main
hg rollback
hg commit --amend
hg update -C
hg revert --all
svn revert -R .
jj abandon
jj restore
jj op restore x
jj git push
bzr uncommit
fossil purge x
darcs obliterate
sl hide x
p4 revert x
`,
  publish: String.raw`
npx semantic-release@24
npx semantic-release@24 --ci
npx lerna@8 publish
npx lerna@8 publish from-git
npx @changesets/cli publish
npx @changesets/cli@2 publish
pnpm changeset publish
yarn changeset publish
pnpm dlx @changesets/cli publish
yarn dlx np
npx np@10
npx release-it@17
npx @vscode/vsce publish
npx jsr publish
npx beachball publish
rush publish -p
npx auto shipit
npx gh-pages -d dist
npx clean-publish
npx electron-builder --publish always
npx bumpp
corepack pnpm publish
corepack yarn npm publish
npm dist-tag add x@1 latest
npm access public x
yarn npm tag add x@1 latest
pnpm -r publish --access public
cargo release --execute
cargo release patch -x
cargo smart-release --execute
cargo workspaces publish
cargo owner --add x
cargo yank --version 1.0.0
wasm-pack publish
wasmer publish
uvx twine==5.1 upload dist/x.whl
uvx --from twine twine upload dist/x
pipx run twine upload dist/x
uv tool run twine upload dist/x
uv run twine upload dist/x
poetry run twine upload dist/x
hatch publish
pdm publish
rye publish
maturin upload x
conda upload x
bundle exec rake release
bundle exec gem push x.gem
gem yank x
go run github.com/goreleaser/goreleaser@latest release
goreleaser release --clean
jreleaser full-release
sbt publishSigned
lein deploy clojars
mill publish
paket push x
dart pub publish
flutter pub publish
melos publish
pod trunk push x
swift package-registry publish x
fastlane deliver
eas submit -p ios
npx eas-cli submit
mix hex.publish
rebar3 hex publish
stack upload .
cabal upload x
opam publish
nimble publish
elm publish
snapcraft upload x
dput ppa:x y
dzil release
ansible-galaxy collection publish x
huggingface-cli upload x
crane copy a b
skopeo copy a b
oras push r/x
regctl image copy a b
helm cm-push x repo
docker manifest push x
docker compose push
docker-compose push
cachix push x
buf push
glab release create v1
nx release
`,
  sql: String.raw`
rails db:drop
bin/rails db:reset
bundle exec rails db:drop
bundle exec rake db:migrate:reset
rake db:schema:load
rails db:truncate_all
RAILS_ENV=test rails db:purge
php artisan migrate:fresh
php artisan migrate:fresh --seed
php artisan migrate:reset
php artisan migrate:refresh
php artisan db:wipe
./artisan db:wipe
php bin/console doctrine:database:drop --force
php bin/console doctrine:schema:drop --force
npx prisma migrate reset
npx prisma@5 migrate reset --force
pnpm prisma migrate reset
npx prisma db push --force-reset
npx prisma db push --accept-data-loss
python manage.py flush
python3 manage.py flush --no-input
./manage.py flush
uv run manage.py flush
poetry run python manage.py flush
python manage.py reset_db
python manage.py migrate app zero
django-admin flush
npx sequelize-cli db:drop
npx sequelize db:migrate:undo:all
npx knex migrate:rollback --all
npx typeorm schema:drop
npx mikro-orm schema:drop
npx drizzle-kit push --force
npx supabase db reset
mix ecto.drop
mix ecto.reset
diesel database reset
sqlx database drop
sea-orm-cli migrate fresh
goose postgres "x" reset
flyway clean
liquibase drop-all
dbmate drop
alembic downgrade base
flask db downgrade base
dotnet ef database drop
wp db reset --yes
drush sql:drop
mongorestore --drop dump
pg_restore --clean -d app x.dump
`,
  privilege: String.raw`
docker run --pid host x
docker run --pid=host x
docker run --net host x
docker run --net=host x
docker run --network host x
docker run --ipc host x
docker run --userns=host x
docker run --uts host x
docker run --cap-add SYS_ADMIN x
docker run --cap-add=ALL x
docker run --device x y
docker run --security-opt seccomp=unconfined x
docker run --security-opt=apparmor=unconfined x
docker run --rm --privileged x
docker exec --privileged x sh
podman run --pid host x
nerdctl run --privileged x
`,
};

/** Neighbours of those above that do no such thing. */
const harmless = String.raw`
npx eslint@9 .
npx prettier@3 --check .
npx -y tsx@4 src/main.ts
pnpm dlx cowsay hi
yarn dlx degit x y
uvx ruff check .
uvx ruff@0.5 check .
pipx run black --check .
npm exec tsc -- --noEmit
npm exec -- vitest run
deno run -A npm:vite build
go run ./cmd/server
go run golang.org/x/tools/cmd/goimports@latest -l .
pnpm test
pnpm build
yarn build
yarn lint
bun run build
corepack enable
npm install -D rimraf semantic-release lerna
pnpm add -D @changesets/cli
yarn add --dev np
npx changeset
npx changeset add
npx @changesets/cli version
npx lerna run build
npx lerna ls
npx release-it --dry-run
npx semantic-release --dry-run
cargo release patch
cargo publish --dry-run
goreleaser release --snapshot --clean
goreleaser check
wasm-pack build
wasm-pack test --node
docker image ls
docker image inspect x
docker container ls
docker container rm x
docker compose down
docker compose up -d
docker-compose up
docker run --rm --network app-net x
docker run --rm --net none x npm test
docker run --pid container:x y
fdupes -r .
7z a a.7z src
7z x a.7z
hg status
hg diff
hg commit -m x
hg push
hg revert --dry-run --all
svn status
svn update
svn commit -m x
jj log
jj new
jj describe -m x
gcloud projects list
gcloud compute instances describe x
gcloud auth list
az group list
az account show
aws s3 ls
aws s3 cp a s3://x/a
aws rds describe-db-instances
aws sts get-caller-identity
cdk synth
npx cdk diff
sls package
terraform state list
terraform workspace list
pulumi preview
vercel env ls
wrangler dev
npx wrangler types
heroku logs --tail
firebase emulators:start
fly status
helm list
kubectl get deployments
gh run list
gh repo view
rclone ls remote:x
rails db:migrate
rails db:rollback
rails test
bundle exec rails db:seed
rake spec
php artisan migrate
php artisan make:model X
php artisan test
php bin/console cache:clear
npx prisma generate
npx prisma migrate dev
npx prisma migrate status
npx prisma db push
python manage.py migrate
python manage.py test
python manage.py makemigrations
npx knex migrate:latest
npx typeorm migration:run
npx sequelize-cli db:migrate
npx drizzle-kit generate
mix ecto.migrate
mix test
diesel migration run
sqlx migrate run
flyway info
alembic upgrade head
alembic downgrade -1
flask db upgrade
dotnet ef database update
wp db export
pg_restore -l x.dump
mongorestore dump
bazel clean
bazel build //...
conda env list
npm run delete
npm run db:drop-test
make destroy-docs
`;

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

const entries = Object.entries(asked) as [Danger, string][];

export const dangerCases: readonly GateCase[] = [
  ...entries.flatMap(([danger, text]) => lines(text).map((line): GateCase => [line, 'ask', danger])),
  ...lines(harmless).map((line): GateCase => [line, 'allow']),
];
