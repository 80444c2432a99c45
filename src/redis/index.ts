export type { RedisClient } from './client.ts'
export { type RedisCache, type RedisCacheCounts, type RedisCacheOptions, redisCache } from './redis-cache.ts'
