import { describe, expect, test } from '@jest/globals';
import { ConfigurationError } from '../../../domain/configuration-error.ts';
import { decide } from '../../../domain/permissions/decide.ts';
import { defaultRules } from '../../../domain/permissions/default-rules.ts';
import { describeDecision } from '../../../domain/permissions/describe-decision.ts';
import { parseCall, parseRules } from '../../../domain/permissions/parse-rules.ts';
import type { RuleTexts } from '../../../domain/permissions/rule.ts';

function effectOf(call: string, texts: RuleTexts): string {
  return decide([...parseRules(texts, 'project'), ...defaultRules], parseCall(call)).effect;
}

describe('rules', () => {
  test.each<[call: string, rules: RuleTexts, effect: string]>([
    ['Run(npm test)', {}, 'allow'],
    ['Run(npm test)', { allow: ['Run(npm *)'], deny: ['Run(npm test)'] }, 'deny'],
    ['Run(npm test)', { allow: ['Run(npm *)'], ask: ['Run(npm *t)'] }, 'ask'],
    ['Run(npm)', { deny: ['Run(npm *)'] }, 'deny'],
    ['Run(npmx)', { deny: ['Run(npm *)'] }, 'allow'],
    ['Run(git commit -m "a b")', { deny: ['Run(git commit -m "a "*)'] }, 'deny'],
    ['Run(echo "*")', { deny: ['Run(echo "*")'] }, 'deny'],
    ['Run(echo x)', { deny: ['Run(echo "*")'] }, 'allow'],
    ['Write(.github/workflows/a.yml)', { deny: ['Write(.github/**)'] }, 'deny'],
    ['Write(/workspace/.github/a)', { deny: ['Write(.github/**)'] }, 'deny'],
    ['Write(src/../.github/a)', { deny: ['Write(.github/**)'] }, 'deny'],
    ['Read(.env)', { deny: ['Read(./.env)'] }, 'deny'],
    ['Read(src/.env)', { deny: ['Read(./.env)'] }, 'allow'],
    ['Read(src/.env)', { deny: ['Read(.env)'] }, 'deny'],
    ['Network(api.example.com)', {}, 'deny'],
    ['Network(API.example.com.)', { allow: ['Network(api.example.com)'] }, 'allow'],
    ['Network(a.example.com)', { ask: ['Network(*.example.com)'] }, 'ask'],
    ['Network(example.com.evil.org)', { allow: ['Network(*.example.com)'] }, 'deny'],
    ['Spend(5 USD)', { ask: ['Spend(>5 USD)'] }, 'allow'],
    ['Spend(5.01 USD)', { ask: ['Spend(>5 USD)'] }, 'ask'],
    ['Tool(create_long_running_project)', {}, 'ask'],
    ['Tool(create_long_running_project)', { allow: ['Tool(create_*)'] }, 'allow'],
    ['Tool(resume_project)', {}, 'ask'],
    ['Tool(abandon_project)', {}, 'ask'],
    ['Tool(revert_project)', {}, 'ask'],
    ['Tool(add_project_feature)', {}, 'ask'],
    ['Tool(update_feature_status)', {}, 'ask'],
    ['Tool(pause_project)', {}, 'allow'],
    ['Tool(pause_project)', { deny: ['Tool(*_project)'] }, 'deny'],
    ['Tool(get_project_status)', {}, 'allow'],
    ['Tool(fetch_url)', { deny: ['Tool(fetch_*)'] }, 'deny'],
    ['Land(src/main.ts)', {}, 'allow'],
    ['Land(.envrc)', {}, 'ask'],
    ['Land(packages/a/.envrc)', {}, 'ask'],
    ['Land(.ENVRC)', {}, 'ask'],
    ['Land(.github/workflows/ci.yml)', {}, 'ask'],
    ['Land(.vscode/tasks.json)', {}, 'ask'],
    ['Land(.vscode/tasks.json)', { allow: ['Land(.vscode/**)'] }, 'allow'],
    ['Land(.husky/pre-commit)', { deny: ['Land(.husky/**)'] }, 'deny'],
  ])('decide %s by %j: %s', (call, rules, effect) => {
    expect(effectOf(call, rules)).toBe(effect);
  });

  test('of the settings and of the project count alike', () => {
    const rules = [
      ...parseRules({ allow: ['Land(.envrc)'] }, 'project'),
      ...parseRules({ deny: ['Land(*)'] }, 'settings'),
    ];
    expect(decide(rules, parseCall('Land(.envrc)')).effect).toBe('deny');
  });

  test.each<[rule: string, complaint: string]>([
    ['npm *', 'expected a kind and a pattern'],
    ['Runs(npm *)', 'The kinds are Run, Write'],
    ['Run()', 'a pattern between the parentheses'],
    ['Run(npm install && rm *)', 'one command'],
    ['Run(a | b)', 'one command'],
    ['Run(echo x > y)', 'one command'],
    ['Run($X y)', 'one command'],
    ['Run(echo $(x))', 'one command'],
    ['Run(A=b npm)', 'one command'],
    ['Run("npm)', 'one command'],
    ['Write(../x)', 'a path in the workspace'],
    ['Write(!x)', 'the files that are meant'],
    ['Write(a[b)', 'a glob'],
    ['Land(/etc/passwd)', 'a path in the repository'],
    ['Land(../x)', 'a path in the repository'],
    ['Network(https://example.com/a)', 'the name of a host'],
    ['Spend(5 USD)', 'an amount that is exceeded'],
    ['Spend(>x)', 'an amount that is exceeded'],
    ['Tool(start project)', 'the name of a tool'],
  ])('that can never match are refused: %s', (rule, complaint) => {
    expect(() => parseRules({ deny: [rule] }, 'project')).toThrow(ConfigurationError);
    expect(() => parseRules({ deny: [rule] }, 'project')).toThrow(complaint);
  });

  test('that another rule always precedes are refused', () => {
    const texts = { allow: ['Run(npm *)'], deny: ['Run(npm *)'] };
    expect(() => parseRules(texts, 'settings')).toThrow(
      'allow Run(npm *): it can never decide, since deny Run(npm *) comes first',
    );
  });

  test('are explained command by command', () => {
    const call = parseCall('Run(npm install && rm -rf $X && $Y)');
    const rules = parseRules({ deny: ['Run(rm *)'] }, 'project');
    expect(describeDecision(call, decide(rules, call))).toBe(
      [
        'Run(npm install && rm -rf $X && $Y): deny',
        '  allow  Run(npm install): no rule, so it is allowed',
        '  deny   Run(rm -rf $X): `deny Run(rm *)` of the project',
        '  ask    Run($Y): `deny Run(rm *)` of the project, which may apply since it has parts that are only known when it runs',
      ].join('\n'),
    );
  });

  test.each(['npm', 'Run', 'Run()', 'Go(x)', 'Spend(much)'])('refuse what is no call: %s', (text) => {
    expect(() => parseCall(text)).toThrow(ConfigurationError);
  });
});
