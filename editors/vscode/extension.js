// The client of `norn lsp`, and tasks for tests and measurements.
'use strict'

const vscode = require('vscode')
const { LanguageClient } = require('vscode-languageclient/node')

let client

function nornPath () {
  return vscode.workspace.getConfiguration('norn').get('path', 'norn')
}

async function start () {
  const server = { command: nornPath(), args: ['lsp'] }
  client = new LanguageClient('norn', 'Norn', server, {
    documentSelector: [{ language: 'norn' }],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.fut') }
  })
  try {
    await client.start()
  } catch (error) {
    const choice = await vscode.window.showErrorMessage(
      `\`${server.command} lsp\` cannot be started: ${error.message}`, 'Set the path')
    if (choice) vscode.commands.executeCommand('workbench.action.openSettings', 'norn.path')
  }
}

async function stop () {
  const running = client
  client = undefined
  if (running && running.isRunning()) await running.stop()
}

// A task for a definition in tasks.json, or for one that is offered.
function task (definition) {
  const file = definition.file || '${file}'
  const execution = new vscode.ProcessExecution(nornPath(), [definition.command, file])
  const made = new vscode.Task(
    definition, vscode.TaskScope.Workspace, definition.command, 'norn', execution, ['$norn'])
  if (definition.command === 'test') made.group = vscode.TaskGroup.Test
  return made
}

const tasks = {
  provideTasks: () => ['test', 'bench', 'check'].map(command => task({ type: 'norn', command })),
  resolveTask: asked => task(asked.definition)
}

async function activate (context) {
  context.subscriptions.push(
    vscode.tasks.registerTaskProvider('norn', tasks),
    vscode.commands.registerCommand('norn.restart', async () => { await stop(); await start() }))
  await start()
}

module.exports = { activate, deactivate: stop }
