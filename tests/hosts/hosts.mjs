// SPDX-License-Identifier: Apache-2.0
// How each host is started without a person: its program, its settings beside those of `attach config`, and the model that it asks.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const text = 'Water the beds.';

/** @param {string} path @param {string | object} content of the file */
function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
}

/**
 * `key` is that of `attach config`. `settings(home, url)` writes files, `env(url)` and `args(home, url)` start one turn in the folder `home`.
 */
export const hosts = [{
  title: 'Claude Code', key: 'claude-code', program: '@anthropic-ai/claude-code-linux-x64/claude', isNeeded: true,
  env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'none', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1', ENABLE_TOOL_SEARCH: 'false' }),
  args: (home) => ['-p', text, '--mcp-config', join(home, '.mcp.json'), '--strict-mcp-config', '--allowedTools', 'mcp__board'],
}, {
  title: 'Codex', key: 'codex', program: '@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex', isNeeded: true,
  settings: (home, url) => write(join(home, '.codex/config.toml'), `model = "script"
model_provider = "script"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.script]
name = "script"
base_url = "${url}/v1"
wire_api = "responses"
`),
  env: () => ({}),
  args: () => ['exec', '--skip-git-repo-check', text],
}, {
  title: 'Gemini CLI', key: 'gemini', program: '@google/gemini-cli/bundle/gemini.js', isNeeded: true,
  settings: (home) => write(join(home, '.gemini/settings.json'), {
    security: { auth: { selectedType: 'gemini-api-key' } }, general: { disableAutoUpdate: true, disableUpdateNag: true },
    privacy: { usageStatisticsEnabled: false }, telemetry: { enabled: false },
  }),
  env: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'none' }),
  args: () => ['-m', 'gemini-2.5-pro', '-y', '--skip-trust', '-p', text],
}, {
  title: 'GitHub Copilot CLI', key: 'copilot', program: '@github/copilot-linux-x64/copilot',
  env: (url) => ({ COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_MODEL: 'script', COPILOT_PROVIDER_API_KEY: 'none', COPILOT_OFFLINE: 'true' }),
  args: () => ['-p', text, '--allow-all-tools', '--disable-builtin-mcps'],
}, {
  title: 'opencode', key: 'opencode', program: 'opencode-linux-x64/bin/opencode',
  settings: (home, url) => write(join(home, '.config/opencode/opencode.json'), {
    autoupdate: false, share: 'disabled',
    provider: { script: {
      npm: '@ai-sdk/openai-compatible', name: 'script', options: { baseURL: `${url}/v1`, apiKey: 'none' }, models: { script: { name: 'script' } },
    } },
  }),
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  args: () => ['run', '--model', 'script/script', text],
}, {
  title: 'Cline', key: 'cline', program: '@cline/cli-linux-x64/bin/cline',
  env: () => ({}),
  before: (url) => ['auth', '--provider', 'openai', '--apikey', 'none', '--modelid', 'script', '--baseurl', `${url}/v1`],
  args: () => ['--auto-approve', 'true', text],
}];
