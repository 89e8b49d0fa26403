/**
 * SMTP values: replies, paths and parameters, and the only place where reply wording lives.
 *
 * <p>Pure and immutable; used by session, relay and observe on any thread.
 */
@NullMarked
package io.bloomgate.gateway.smtp;

import org.jspecify.annotations.NullMarked;
