/**
 * SMTP values: replies, paths and parameters, and the only place where reply wording lives.
 *
 * <p>Pure and immutable; called by session, relay and log on any thread.
 */
@NullMarked
package io.bloomgate.gateway.smtp;

import org.jspecify.annotations.NullMarked;
