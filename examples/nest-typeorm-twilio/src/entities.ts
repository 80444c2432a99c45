import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm'

/** What customers write to us. The event is not unique: that would hide a note that is taken twice. */
@Entity('notes')
export class Note {
  @PrimaryGeneratedColumn()
  id!: number

  @Column('text', { name: 'event_id' })
  eventId!: string

  @Column('text')
  from!: string

  @Column('text')
  body!: string
}

/** What we have sent, and how far it came. */
@Entity('sent_messages')
export class SentMessage {
  @PrimaryColumn('text')
  sid!: string

  @Column('text')
  status!: string
}
