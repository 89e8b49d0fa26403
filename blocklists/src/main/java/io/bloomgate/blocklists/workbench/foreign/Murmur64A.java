package io.bloomgate.blocklists.workbench.foreign;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** MurmurHash64A (Austin Appleby, 2008; public domain), the hash of RedisBloom. Pure. */
final class Murmur64A {

  private static final long MULTIPLIER = 0xc6a4a7935bd1e995L;
  private static final int SHIFT = 47;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Murmur64A() {}

  static long hash(byte[] key, long seed) {
    long h = seed ^ (key.length * MULTIPLIER);
    int at = 0;
    for (; at + Long.BYTES <= key.length; at += Long.BYTES) {
      long k = (long) LONG.get(key, at) * MULTIPLIER;
      k ^= k >>> SHIFT;
      h = (h ^ (k * MULTIPLIER)) * MULTIPLIER;
    }
    if (at < key.length) {
      long tail = 0;
      for (int i = key.length - 1; i >= at; i--) {
        tail = (tail << Byte.SIZE) | (key[i] & 0xffL);
      }
      h = (h ^ tail) * MULTIPLIER;
    }
    h = (h ^ (h >>> SHIFT)) * MULTIPLIER;
    return h ^ (h >>> SHIFT);
  }
}
