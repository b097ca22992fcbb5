// Searches the names of all pages; `/` goes to the field.
'use strict'

const field = document.getElementById('search')
const found = document.getElementById('found')
const pages = document.getElementById('pages')

// The smaller the better; undefined if a name does not fit.
function rank (name, asked) {
  const own = name.slice(name.lastIndexOf('.', name.length - 2) + 1)
  if (own === asked || name === asked) return 0
  if (own.startsWith(asked)) return 1
  if (name.startsWith(asked)) return 2
  if (name.includes(asked)) return 3
}

function show () {
  const asked = field.value.trim().toLowerCase()
  found.hidden = asked === ''
  pages.hidden = asked !== ''
  found.textContent = ''
  if (asked === '') return
  const fits = []
  for (const entry of NAMES) {
    let r = rank(entry[0].toLowerCase(), asked)
    if (r === undefined && entry[4].toLowerCase().includes(asked)) r = 4
    if (r !== undefined) fits.push([r, entry[0].length, entry])
  }
  fits.sort((a, b) => a[0] - b[0] || a[1] - b[1])
  for (const [, , [name, kind, page, address, about]] of fits.slice(0, 50)) {
    const line = document.createElement('li')
    const link = document.createElement('a')
    link.href = address
    link.textContent = name
    const where = document.createElement('small')
    where.textContent = ` ${kind}, ${page}`
    line.title = about
    line.append(link, where)
    found.append(line)
  }
}

field.addEventListener('input', show)
field.addEventListener('keydown', event => {
  const first = found.querySelector('a')
  if (event.key === 'Enter' && first) location.href = first.href
  if (event.key === 'Escape') { field.value = ''; show() }
})
document.addEventListener('keydown', event => {
  if (event.key === '/' && document.activeElement !== field) { event.preventDefault(); field.focus() }
})
