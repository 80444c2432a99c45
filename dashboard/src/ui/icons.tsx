const paths = {
  overview: 'M3 12h4l3-8 4 16 3-8h4',
  list: 'M8 6h13M8 12h13M8 18h13M3.5 6h.01M3.5 12h.01M3.5 18h.01',
  dead: 'M12 9v4m0 4h.01M10.3 3.9 2.4 17.5A2 2 0 0 0 4.1 20.5h15.8a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z',
  source: 'M4 7h16M4 12h16M4 17h10M18 15v6m-3-3h6',
  outbox: 'm4 12 16-8-6 16-3-6-7-2Z',
  capture: 'M12 3v10m0 0 4-4m-4 4L8 9M4 15v3a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-3',
  compare: 'M9 4H5v16h4M15 4h4v16h-4M12 2v20',
  replay: 'M4 12a8 8 0 1 1 2.3 5.7M4 12V6m0 6h6',
  data: 'M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3Zm0 0v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3',
  automation: 'M13 2 4 14h7l-1 8 9-12h-7l1-8Z',
  bell: 'M6 9a6 6 0 1 1 12 0c0 6 2.5 7 2.5 7h-17S6 15 6 9Zm4 11a2.2 2.2 0 0 0 4 0',
  audit: 'M12 3 5 6v5c0 4.5 3 8 7 10 4-2 7-5.500 7-10V6l-7-3Zm-3 9 2 2 4-4',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'm5 12 5 5 9-10',
  close: 'm6 6 12 12M18 6 6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  chevron: 'm9 6 6 6-6 6',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 4v16l13-8L7 4Z',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Zm0-6v2m0 16v2M2 12h2m16 0h2M5 5l1.500 1.500m11 11L19 19M5 19l1.500-1.500m11-11L19 5',
  moon: 'M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500Z',
  plus: 'M12 5v14M5 12h14',
  trash: 'M4 7h16m-10 4v6m4-6v6M6 7l1 13h10l1-13M9 7V4h6v3',
  up: 'm6 15 6-6 6 6',
  down: 'm6 9 6 6 6-6',
  out: 'M15 4h4v16h-4M10 8l-4 4 4 4m-4-4h9',
  key: 'M14 10a4 4 0 1 0-3.500 4l2 2H15v2h2v2h3v-3l-6-5.500',
  hold: 'M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3',
} as const

export type IconName = keyof typeof paths

/** A drawing beside a text that says the same. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
