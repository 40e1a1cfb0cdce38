import assert from 'node:assert/strict';
import { findSecrets } from '../../../src/core/secrets/findSecrets';
import { createRedactor } from '../../../src/core/secrets/redactor';
import { randomFrom } from '../tapes/mutations';

const random = randomFrom(29);
const ANY = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const HEX = '0123456789abcdef';
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Letters of chance: nothing in this file looks like a secret itself. */
const chance = (length: number, alphabet = ANY): string =>
  Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');
const uuid = (): string => [8, 4, 4, 4, 12].map((length) => chance(length, HEX)).join('-');

/** One secret of each kind, by its rule. */
const secrets = (): (readonly [rule: string, secret: string])[] => [
  ['anthropic-key', `sk-ant-api03-${chance(80)}`],
  ['openrouter-key', `sk-or-v1-${chance(64, HEX)}`],
  ['openai-key', `sk-proj-${chance(60)}`],
  ['openai-key', `sk-${chance(48)}`],
  ['openai-key', `sk-test-${chance(30)}`],
  ['openai-session', `sess-${chance(40)}`],
  ['cerebras-key', `csk-${chance(48, LOWER)}`],
  ['google-key', `AIza${chance(35)}`],
  ['google-token', `ya29.${chance(80)}`],
  ['aws-key-id', `AKIA${chance(16, 'ABCDEFGHIJKLMNOP234567')}`],
  ['github-token', `ghp_${chance(36)}`],
  ['github-token', `github_pat_${chance(22)}_${chance(59)}`],
  ['gitlab-token', `glpat-${chance(20)}`],
  ['slack-token', `xoxb-${chance(11, '123456789')}-${chance(24)}`],
  ['groq-key', `gsk_${chance(52)}`],
  ['huggingface-token', `hf_${chance(34)}`],
  ['xai-key', `xai-${chance(80)}`],
  ['perplexity-key', `pplx-${chance(48)}`],
  ['replicate-token', `r8_${chance(37)}`],
  ['tavily-key', `tvly-dev-${chance(32)}`],
  ['tavily-key', `tvly-${chance(32)}`],
  ['pinecone-key', `pcsk_${chance(6)}_${chance(60)}`],
  ['digitalocean-token', `dop_v1_${chance(64, HEX)}`],
  ['linear-key', `lin_api_${chance(40)}`],
  ['notion-token', `ntn_${chance(46)}`],
  ['supabase-token', `sbp_${chance(40, HEX)}`],
  ['fireworks-key', `fw_${chance(24)}`],
  ['jina-key', `jina_${chance(60)}`],
  ['voyage-key', `pa-${chance(43)}`],
  ['langsmith-key', `lsv2_pt_${chance(32, HEX)}_${chance(10, HEX)}`],
  ['stripe-key', `sk_live_${chance(24)}`],
  ['npm-token', `npm_${chance(36)}`],
  ['telegram-token', `${chance(10, '123456789')}:AA${chance(33)}`],
  ['discord-token', `M${chance(23)}.${chance(6)}.${chance(27)}`],
  ['jwt', `eyJ${chance(30)}.eyJ${chance(60)}.${chance(43)}`],
  ['atlassian-token', `ATATT3xFf${chance(180)}=${chance(8, 'ABCDEF0123456789')}`],
  ['atlassian-token', `ATBB${chance(32)}`],
  ['grafana-token', `glsa_${chance(32)}_${chance(8, HEX)}`],
  ['grafana-token', `glc_${chance(120)}=`],
  ['grafana-token', Buffer.from(`{"k":"${chance(32)}","n":"agent","id":1}`).toString('base64')],
  ['newrelic-key', `NRAK-${chance(27, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')}`],
  ['newrelic-key', `NRJS-${chance(19, HEX)}`],
  ['newrelic-key', `${chance(36, HEX)}NRAL`],
  ['newrelic-key', `eu01xx${chance(30, HEX)}NRAL`],
  ['airtable-token', `pat${chance(14)}.${chance(64, HEX)}`],
  ['figma-token', `figd_${chance(20)}-${chance(19)}`],
  ['dropbox-token', `sl.B${chance(60)}-${chance(70)}`],
  ['dropbox-token', `sl.u.A${chance(130)}`],
  ['facebook-token', `EAAG${chance(140)}ZDZD`],
  ['twitter-token', `${'A'.repeat(21)}${chance(8)}AAAAAAA${chance(24)}%2B${chance(8)}%3D${chance(50)}`],
  ['square-token', `EAAAE${chance(59)}`],
  ['square-token', `sq0atp-${chance(22)}`],
  ['square-token', `sq0csp-${chance(43)}`],
  ['mapbox-token', `sk.eyJ1Ijoi${chance(60)}.${chance(22)}`],
  ['mailgun-key', `key-${chance(32, HEX)}`],
  ['mailgun-key', `${chance(32, HEX)}-${chance(8, HEX)}-${chance(8, HEX)}`],
  ['mailchimp-key', `${chance(32, HEX)}-us12`],
  ['twilio-key', `SK${chance(32, HEX)}`],
  ['sentry-token', `sntrys_eyJ${chance(120)}=_${chance(43)}`],
  ['sentry-token', `sntryu_${chance(64, HEX)}`],
  ['paseto', `v4.local.${chance(120)}`],
  ['paseto', `v2.public.${chance(120)}.${chance(20)}`],
  ['jwe', `eyJ${chance(60)}.${chance(80)}.${chance(16)}.${chance(100)}.${chance(22)}`],
  ['jwe', `eyJ${chance(60)}..${chance(16)}.${chance(100)}.${chance(22)}`],
  ['fcm-key', `AAAA${chance(7)}:APA91b${chance(134)}`],
  ['terraform-token', `${chance(14)}.atlasv1.${chance(67)}`],
  ['azure-client-secret', `${chance(3)}8Q~${chance(34)}`],
  ['gitlab-token', `gldt-${chance(20)}`],
  ['gitlab-token', `glptt-${chance(40, HEX)}`],
  ['stripe-webhook-secret', `whsec_${chance(32)}`],
  ['docker-token', `dckr_pat_${chance(27)}`],
  ['postman-key', `PMAK-${chance(24, HEX)}-${chance(34, HEX)}`],
  ['contentful-token', `CFPAT-${chance(43)}`],
  ['pulumi-token', `pul-${chance(40, HEX)}`],
  ['heroku-key', `HRKU-AA${chance(58)}`],
  ['rubygems-key', `rubygems_${chance(48, HEX)}`],
  ['crates-token', `cio${chance(32)}`],
  ['clojars-token', `CLOJARS_${chance(60, LOWER)}`],
  ['planetscale-token', `pscale_tkn_${chance(43)}`],
  ['prefect-key', `pnu_${chance(36)}`],
  ['readme-key', `rdme_${chance(70, LOWER)}`],
  ['shippo-token', `shippo_live_${chance(40, HEX)}`],
  ['brevo-key', `xkeysib-${chance(64, HEX)}-${chance(16)}`],
  ['typeform-token', `tfp_${chance(44)}_${chance(14)}`],
  ['easypost-key', `EZAK${chance(54)}`],
  ['duffel-token', `duffel_live_${chance(43)}`],
  [
    'dynatrace-token',
    `dt0c01.${chance(24, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}.${chance(64, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`,
  ],
  ['sonar-token', `squ_${chance(40, HEX)}`],
  ['posthog-key', `phx_${chance(43)}`],
  ['resend-key', `re_${chance(8)}_${chance(24)}`],
  ['netlify-token', `nfp_${chance(36)}`],
  ['neon-key', `napi_${chance(64, LOWER)}`],
  ['vercel-token', `vercel_blob_rw_${chance(16)}_${chance(30)}`],
  ['onepassword-token', `ops_eyJ${chance(300)}`],
  [
    'launchdarkly-key',
    `sdk-${chance(8, HEX)}-${chance(4, HEX)}-4${chance(3, HEX)}-a${chance(3, HEX)}-${chance(12, HEX)}`,
  ],
  ['honeycomb-key', `hcaik_${chance(58, LOWER)}`],
  ['buildkite-token', `bkua_${chance(40, HEX)}`],
  ['circleci-token', `CCIPAT_${chance(22)}_${chance(40, HEX)}`],
  ['jfrog-key', `AKCp${chance(69)}`],
  ['tailscale-key', `tskey-auth-${chance(12)}CNTRL-${chance(32)}`],
  ['e2b-key', `e2b_${chance(40, HEX)}`],
  ['alibaba-key-id', `LTAI${chance(20)}`],
  ['fly-token', `fo1_${chance(43)}`],
  ['nuget-key', `oy2${chance(43, LOWER)}`],
  ['adafruit-key', `aio_${chance(28)}`],
  ['frameio-token', `fio-u-${chance(64)}`],
  ['google-key', `AQ.Ab8${chance(50)}`],
  ['aws-bedrock-key', `bedrock-api-key-${chance(120)}`],
  ['helicone-key', `sk-helicone-${[7, 7, 7, 7].map((length) => chance(length, LOWER)).join('-')}`],
  ['letta-key', `sk-let-${chance(80)}`],
  ['secret-key', `sk_prod_${chance(30)}`],
  ['cartesia-key', `sk_car_${chance(22)}`],
  ['modal-token', `as-${chance(20)}7Q`],
  ['brave-key', `BSA${chance(27)}7`],
  ['apify-token', `apify_api_${chance(36)}`],
  ['browserbase-key', `bb_live_${chance(27)}`],
  ['render-key', `rnd_${chance(28)}`],
  ['hubspot-token', `pat-na1-${uuid()}`],
  ['flutterwave-key', `FLWSECK-${chance(32, HEX)}-X`],
  ['tencent-key-id', `AKID${chance(32)}`],
  ['yandex-key', `AQVN${chance(36)}`],
  ['cloudflare-token', `cfut_${chance(48)}`],
  ['sourcegraph-token', `sgp_local_${chance(40, HEX)}`],
  ['sourcegraph-token', `sgp_${chance(40, HEX)}`],
  ['scalingo-token', `tk-us-${chance(48)}`],
  ['openshift-token', `sha256~${chance(43)}`],
  ['octopus-key', `API-${chance(25, CAPITALS)}7`],
  ['onepassword-key', `A3-${[6, 11, 5, 5, 5].map((length) => chance(length, CAPITALS)).join('-')}`],
  ['nebula-key', `dnkey-${chance(26)}-${chance(52)}`],
  ['harness-token', `pat.${chance(22)}.${chance(24, HEX)}.${chance(20)}`],
  ['together-key', `tgp_v1_${chance(43)}`],
  ['mem0-key', `m0-${chance(40)}`],
  ['llamacloud-key', `llx-${chance(48)}`],
  ['arcade-key', `arc_${chance(60)}`],
  ['logfire-token', `pylf_v1_us_${chance(43)}`],
  ['axiom-token', `xaat-${uuid()}`],
  ['arize-key', `ak-${uuid()}-${chance(32)}`],
  ['anyscale-key', `esecret_${chance(26, LOWER)}`],
  ['runpod-key', `rpa_${chance(36, CAPITALS)}${chance(6, LOWER)}`],
  ['retell-key', `key_${chance(28, HEX)}`],
  ['lambda-key', `secret_laptop_${chance(32, HEX)}.${chance(32)}`],
  ['deno-token', `ddp_${chance(36)}`],
  ['inngest-key', `signkey-prod-${chance(64, HEX)}`],
  ['daytona-key', `dtn_${chance(64, HEX)}`],
  ['polar-token', `polar_oat_${chance(43)}`],
  ['paddle-key', `pdl_live_apikey_${chance(26, LOWER)}_${chance(22)}_${chance(3)}`],
  ['stytch-secret', `secret-live-${chance(35)}=`],
  ['ngrok-token', `2${chance(26)}_${chance(21)}`],
  ['maxmind-key', `${chance(6)}_${chance(29)}_mmk`],
  ['zhipu-key', `${chance(32, HEX)}.${chance(15)}Q`],
  ['infracost-key', `ico-${chance(32)}`],
  ['azure-key', `${chance(52)}JQQJ99B${chance(1, 'ABCDEFGHIJKL')}${chance(16)}A${chance(7)}`],
  ['azure-key', `${chance(76)}+ASt${chance(6)}==`],
  ['azure-key', `${chance(44)}AzFu${chance(6)}==`],
  ['azure-key', `${chance(42)}AzSe${chance(6)}`],
  ['azure-devops-token', `${chance(76)}AZDO${chance(4)}`],
  ['aws-key-id', `ABIA${chance(16, 'ABCDEFGHIJKLMNOP234567')}`],
  ['aws-session-token', `IQoJb3JpZ2luX2Vj${chance(300)}`],
  ['slack-token', `xoxc-${chance(12, '123456789')}-${chance(13, '123456789')}-${chance(64, HEX)}`],
  ['slack-token', `xoxd-${chance(60)}`],
  ['github-token', `ghs_1234567_eyJ${chance(30)}.eyJ${chance(250)}.${chance(86)}`],
  ['gitlab-token', `glpat-${chance(27)}.01.${chance(9, LOWER)}`],
  ['gitlab-token', `glrtr-${chance(20)}`],
  ['openai-key', `sk-api-${chance(60)}_7Q${chance(40)}`],
  ['openai-key', `sk-sp-${chance(32, HEX)}`],
  ['openai-key', `sk-7Q${chance(9)}_${chance(10)}`],
  ['copilot-token', `tid=${chance(32, HEX)};exp=1760000000;sku=business;chat=1;8kp=1:${chance(64, HEX)}`],
  ['baidu-key', `bce-v3/ALTAK-${chance(21)}/${chance(40, HEX)}`],
  ['volcengine-key-id', `AKLT${chance(43)}`],
  ['coze-token', `pat_${chance(64)}`],
  ['dify-key', `app-7Q${chance(22)}`],
  ['fastgpt-key', `fastgpt-${chance(48)}`],
  ['modelscope-token', `ms-${uuid()}`],
  ['context7-key', `ctx7sk-${uuid()}`],
  ['cursor-key', `crsr_${chance(64, HEX)}`],
  ['cursor-key', `key_${chance(64, HEX)}`],
  ['runway-key', `key_${chance(128, HEX)}`],
  ['netlify-token', `nfc_${chance(36)}`],
  ['vercel-token', `vca_${chance(56)}`],
  ['snyk-token', `snyk_uat.${chance(8, HEX)}.${chance(60)}`],
  ['salesforce-session', `00D${chance(12)}!AQ${chance(40)}.${chance(40)}`],
  ['plaid-token', `access-production-${uuid()}`],
  ['asana-token', `2/1${chance(15, '123456789')}/1${chance(15, '123456789')}:${chance(32, HEX)}`],
  ['clickup-token', `pk_${chance(8, '123456789')}_${chance(32, CAPITALS)}`],
  ['friendli-token', `flp_${chance(46)}`],
  ['chutes-key', `cpk_${chance(32, HEX)}.${chance(32, HEX)}.${chance(32)}`],
  ['adobe-secret', `p8e-${chance(32)}`],
  ['jfrog-key', `cmVmd${chance(59)}`],
  ['authress-key', `sc_${chance(20, LOWER)}.${chance(4, LOWER)}.acc-${chance(12, LOWER)}.${chance(60)}`],
  ['clickhouse-key', `4b1d${chance(38)}`],
  ['settlemint-token', `sm_pat_${chance(16)}`],
  ['intra42-secret', `s-s4t2ud-${chance(64, HEX)}`],
  ['lob-key', `live_${chance(35, HEX)}`],
  ['huggingface-token', `api_org_${chance(34)}`],
  ['doppler-token', `dp.ct.${chance(43)}`],
  ['shopify-token', `shppa_${chance(32, HEX)}`],
  ['stripe-key', `sk_org_live_${chance(60)}`],
  ['zoho-token', `1000.${chance(32, HEX)}.${chance(32, HEX)}`],
  ['convex-key', `prod:happy-otter-123|eyJ2${chance(60)}`],
  ['trello-token', `ATTA${chance(64, HEX)}${chance(8, CAPITALS)}`],
  ['google-token', `4/0A${chance(70)}`],
  ['google-refresh-token', `AMf-vB${chance(150)}`],
  ['ollama-key', `${chance(32, HEX)}.${chance(23)}Q`],
  ['llama-key', `LLM|${chance(15, '123456789')}|${chance(27)}`],
  ['elastic-key', `essu_${chance(80)}`],
  ['fal-key', `${uuid()}:${chance(32, HEX)}`],
  ['luma-key', `luma-${uuid()}-${uuid()}`],
  ['secret-key', `sk_${chance(32, HEX)}`],
  ['composio-key', `ak_7Q${chance(18)}`],
  ['password-hash', `$6$${chance(16)}$${chance(86)}`],
  ['password-hash', `$2y$10$${chance(53)}`],
  ['password-hash', `$argon2id$v=19$m=65536,t=3,p=4$${chance(22)}$${chance(43)}`],
  ['password-hash', `$apr1$${chance(8)}$${chance(22)}`],
];

/** The kinds that may have the slash after them as well, as base64 may. */
const HAS_SLASHES: readonly string[] = [
  'onepassword-token',
  'aws-bedrock-key',
  'aws-session-token',
  'elastic-key',
  'slack-token',
  'authress-key',
  'convex-key',
  'password-hash',
];

const places: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => `"${secret}"`,
  (secret) => JSON.stringify({ text: `first\n${secret}\nlast` }),
  (secret) => JSON.stringify({ arguments: JSON.stringify({ note: `a\t${secret}` }) }),
  (secret) => `key=${secret}&more=1`,
  (secret) => `Use ${secret}, please.`,
  (secret) => `https://api.example.com/v1/${secret}/models`,
  (secret) => `https://api.example.com/v1?x=${secret}#y`,
  (secret) => `<b>${secret}</b>`,
  (secret) => `x: '${secret}'\n`,
];

describe('the kinds of secrets', () => {
  for (const rule of new Set(secrets().map(([name]) => name))) {
    it(`have ${rule} everywhere`, () => {
      for (let round = 0; round < 5; round += 1) {
        for (const [own, secret] of secrets()) {
          if (own !== rule) continue;
          for (const place of places) {
            const text = place(secret);
            if (HAS_SLASHES.includes(rule) && text.includes(`${secret}/`)) continue;
            assert.deepEqual(
              findSecrets(text).map((found) => text.slice(found.start, found.end)),
              [secret],
              text,
            );
            assert.ok(!createRedactor().text(text).includes(secret.slice(-10)), text);
          }
        }
      }
    });
  }

  it('are recognised by their names in JSON, URLs, forms and headers', () => {
    const value = chance(32);
    const texts = [
      '{"password": "lowercasehorse"}',
      JSON.stringify({ body: '{"password":"Tr0ub4dor&3"}' }),
      `https://api.example.com/v1/models?key=${value}`,
      `https://x.blob.core.windows.net/c?sv=2022-11-02&sig=${chance(43)}%3D&se=2026`,
      `OPENAI_API_KEY_2=${value}`,
      `DB_PASSWORD=lowercasehorse`,
      `"subscription-key": "${value}"`,
    ];
    for (const text of texts) assert.equal(findSecrets(text).length, 1, text);
  });

  it('are recognised behind what only leads to them', () => {
    const [token, id] = [chance(32, HEX), uuid()];
    const led: readonly (readonly [string, string])[] = [
      [`https://shop.webhook.office.com/webhookb2/${uuid()}@${uuid()}/IncomingWebhook/`, `${token}/${id}`],
      [`access_token$production$${chance(16, LOWER)}$`, token],
      [`https://hooks.slack.com/services/`, `T${chance(9, CAPITALS)}/B${chance(9, CAPITALS)}/${chance(24)}`],
      [`https://discord.com/api/webhooks/${chance(18, '123456789')}/`, chance(68)],
      [`https://canary.discord.com/api/v10/webhooks/${chance(18, '123456789')}/`, chance(68)],
      [`https://hooks.slack.com/triggers/`, `T${chance(9, CAPITALS)}/${chance(13, '123456789')}/${chance(32, HEX)}`],
      [`https://open.feishu.cn/open-apis/bot/v2/hook/`, id],
      [`https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=`, id],
      [`https://hooks.zapier.com/hooks/catch/`, `${chance(7, '123456789')}/${chance(7, LOWER)}`],
    ];
    for (const [before, secret] of led)
      assert.deepEqual(
        findSecrets(`Post to ${before}${secret}, please.`).map(({ start, end }) => [start, end]),
        [[8 + before.length, 8 + before.length + secret.length]],
        before,
      );
  });

  it('are recognised in cookies of sessions', () => {
    for (const text of [
      `cookie: session=${chance(32)}`,
      `"Cookie": ["a=1; sessionid=${chance(32)}; b=2"]`,
      `Set-Cookie:\n    - connect.sid=s%3A${chance(40)}; Path=/`,
    ])
      assert.equal(findSecrets(text)[0]?.rule, 'session-cookie', text);
    for (const text of [
      `Set-Cookie:\n    - __cf_bm=${chance(43)}-1730000000-1.0.1.1-${chance(60)}; path=/`,
      'cookie: theme=dark',
      'cookie: session=[redacted]',
    ])
      assert.deepEqual(findSecrets(text), [], text);
  });

  it('are not seen in what only resembles them', () => {
    const ordinary = [
      `"session_id": "${chance(32)}"`,
      `"cursor": "${chance(40)}"`,
      '"finish_reason": "stop", "system_fingerprint": "fp_0aa8d3e20b"',
      `"id": "chatcmpl-${chance(29)}", "call_id": "call_${chance(24)}"`,
      `"encrypted_content": "gAAAAAB${chance(200, `${ANY}_-`)}=="`,
      `"signature": "${chance(200, `${ANY}+/`)}=="`,
      `"etag": "W/\\"${chance(32, HEX)}\\""`,
      `sha256:${chance(64, HEX)}`,
      `commit ${chance(40, HEX)}`,
      'as-counterrevolutionaries say, BSA-like_words-of-a-long-name_x',
      'API-COMPATIBILITYANDSTABILITY key_of_a_map arc_of_a_story_that_is_told_over_many_many_years',
      `${chance(32, HEX)}.bundle ${chance(32, HEX)}.tar.gz`,
      'pa-rticularly-long-hyphenated-compound-words-of-a-sentence-in-text',
      'https://example.com/a?key=name&code=200&token=next-page-please-and-more',
      '"password": {"type": "string", "description": "The password"}',
      '{"password": "[redacted]", "secret": "REDACTED", "api_key": "<YOUR_API_KEY>"}',
      'Password: at least 12 characters; PASSWORD=required',
    ];
    const redactor = createRedactor();
    for (const text of ordinary) {
      assert.deepEqual(findSecrets(text), [], text);
      assert.deepEqual(redactor.search.find(text), [], text);
    }
  });
});
