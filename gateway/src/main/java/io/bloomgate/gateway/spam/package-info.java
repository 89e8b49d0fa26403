/**
 * Reports of spam by mail, by command and by the page, and mail for traps: each is read and handed
 * to {@code blocklists.memory}.
 */
@NullMarked
package io.bloomgate.gateway.spam;

import org.jspecify.annotations.NullMarked;
