import { Inject, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { Note, SentMessage } from './entities.js'
import { createTwilioInbox, type TwilioInbox } from './inbox.js'

export const INBOX = Symbol('inbox')

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env.DATABASE_URL,
      entities: [Note, SentMessage],
      synchronize: true, // in your app these are migrations
    }),
  ],
  providers: [{ provide: INBOX, inject: [DataSource], useFactory: createTwilioInbox }],
})
export class AppModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(@Inject(INBOX) private readonly inbox: TwilioInbox) {}

  /** Twilio does not send again what fails, so it is kept and tried again here. */
  async onApplicationBootstrap(): Promise<void> {
    await this.inbox.start()
  }

  async onApplicationShutdown(): Promise<void> {
    await this.inbox.close()
  }
}
