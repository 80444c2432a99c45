import type { ComponentChildren } from 'preact'
import { linkTo, type Route } from '../logic/route.ts'
import { PageHead } from '../ui/page-head.tsx'
import { Alerts } from './alerts.tsx'
import { Audit } from './audit.tsx'
import { AutomationPage } from './automation.tsx'
import { Automations } from './automations.tsx'
import { CapturePage } from './capture.tsx'
import { CaptureEndpointPage } from './capture-endpoint.tsx'
import { Captures } from './captures.tsx'
import { Compare } from './compare.tsx'
import { Datastore } from './datastore.tsx'
import { DeadLetters } from './dead-letters.tsx'
import { Events } from './events.tsx'
import { Messages } from './messages.tsx'
import { OverviewPage } from './overview.tsx'
import { ReceiptPage } from './receipt.tsx'
import { SourcePage } from './source.tsx'
import { Sources } from './sources.tsx'

/** The page of an address. `key` begins a page anew when it is of another thing. */
export function pageOf(route: Route): ComponentChildren {
  const [section = '', one, two] = route.path
  switch (section) {
    case '':
      return <OverviewPage />
    case 'events':
      return <Events route={route} />
    case 'receipts':
      return one === undefined ? <Events route={route} /> : <ReceiptPage key={one} id={one} />
    case 'compare':
      return <Compare route={route} />
    case 'dead-letters':
      return <DeadLetters />
    case 'messages':
      return <Messages route={route} />
    case 'sources':
      return one === undefined ? <Sources /> : <SourcePage key={one} name={one} />
    case 'captures':
      if (one === undefined) return <Captures />
      return two === undefined ? (
        <CaptureEndpointPage key={one} name={one} route={route} />
      ) : (
        <CapturePage key={two} endpoint={one} id={two} />
      )
    case 'datastore':
      return <Datastore key={one} namespace={one} route={route} />
    case 'automations':
      return one === undefined ? <Automations /> : <AutomationPage key={one} name={one} />
    case 'alerts':
      return <Alerts />
    case 'audit':
      return <Audit />
    default:
      return <PageHead title="There is no such page" lead={<a href={linkTo([])}>To the overview</a>} />
  }
}
