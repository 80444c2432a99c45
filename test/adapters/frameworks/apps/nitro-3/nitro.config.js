export default { compatibilityDate: '2026-01-01', preset: 'node-server', serverDir: './' }
