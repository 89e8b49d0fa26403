/**
 * Single values as people write them in settings and options: durations, sizes, times, hosts,
 * names. A reader takes a text and gives a value, or says what is wrong and how to fix it. Pure;
 * used by settings, commands and pages on any thread.
 */
@NullMarked
package io.bloomgate.config.notation;

import org.jspecify.annotations.NullMarked;
