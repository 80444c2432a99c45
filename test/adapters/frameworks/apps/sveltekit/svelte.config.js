import adapter from '@sveltejs/adapter-node'

// Twilio and others send forms from another origin than the page.
export default { kit: { adapter: adapter(), csrf: { checkOrigin: false } } }
