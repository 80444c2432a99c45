import { defineConfig } from 'vite'

/** Relative addresses, so that it runs under any path; nothing inline, so that the strictest content security policy holds. */
export default defineConfig({
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // While it is worked on: `npm run dev:dashboard` beside a gateway.
  server: { proxy: { '/api': process.env['ONCEHOOK_URL'] ?? 'http://127.0.0.1:4400' } },
})
