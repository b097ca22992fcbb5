-- More constructors than a byte can tell apart, in a sum and in a recursive type.
-- ==
-- entry: of_sum
-- input { [0i64, 1i64, 127i64, 128i64, 255i64, 256i64, 299i64] } output { [0i64, 1i64, 127i64, 128i64, 255i64, 256i64, 299i64] }

-- ==
-- entry: of_cells
-- input { [0i64, 1i64, 127i64, 128i64, 255i64, 256i64, 299i64] } output { [0i64, 1i64, 127i64, 128i64, 255i64, 256i64, 299i64] }

-- ==
-- entry: equal
-- input { 0i64 256i64 } output { false }
-- input { 299i64 299i64 } output { true }

type sum =
  #c0
  | #c1
  | #c2
  | #c3
  | #c4
  | #c5
  | #c6
  | #c7
  | #c8
  | #c9
  | #c10
  | #c11
  | #c12
  | #c13
  | #c14
  | #c15
  | #c16
  | #c17
  | #c18
  | #c19
  | #c20
  | #c21
  | #c22
  | #c23
  | #c24
  | #c25
  | #c26
  | #c27
  | #c28
  | #c29
  | #c30
  | #c31
  | #c32
  | #c33
  | #c34
  | #c35
  | #c36
  | #c37
  | #c38
  | #c39
  | #c40
  | #c41
  | #c42
  | #c43
  | #c44
  | #c45
  | #c46
  | #c47
  | #c48
  | #c49
  | #c50
  | #c51
  | #c52
  | #c53
  | #c54
  | #c55
  | #c56
  | #c57
  | #c58
  | #c59
  | #c60
  | #c61
  | #c62
  | #c63
  | #c64
  | #c65
  | #c66
  | #c67
  | #c68
  | #c69
  | #c70
  | #c71
  | #c72
  | #c73
  | #c74
  | #c75
  | #c76
  | #c77
  | #c78
  | #c79
  | #c80
  | #c81
  | #c82
  | #c83
  | #c84
  | #c85
  | #c86
  | #c87
  | #c88
  | #c89
  | #c90
  | #c91
  | #c92
  | #c93
  | #c94
  | #c95
  | #c96
  | #c97
  | #c98
  | #c99
  | #c100
  | #c101
  | #c102
  | #c103
  | #c104
  | #c105
  | #c106
  | #c107
  | #c108
  | #c109
  | #c110
  | #c111
  | #c112
  | #c113
  | #c114
  | #c115
  | #c116
  | #c117
  | #c118
  | #c119
  | #c120
  | #c121
  | #c122
  | #c123
  | #c124
  | #c125
  | #c126
  | #c127
  | #c128
  | #c129
  | #c130
  | #c131
  | #c132
  | #c133
  | #c134
  | #c135
  | #c136
  | #c137
  | #c138
  | #c139
  | #c140
  | #c141
  | #c142
  | #c143
  | #c144
  | #c145
  | #c146
  | #c147
  | #c148
  | #c149
  | #c150
  | #c151
  | #c152
  | #c153
  | #c154
  | #c155
  | #c156
  | #c157
  | #c158
  | #c159
  | #c160
  | #c161
  | #c162
  | #c163
  | #c164
  | #c165
  | #c166
  | #c167
  | #c168
  | #c169
  | #c170
  | #c171
  | #c172
  | #c173
  | #c174
  | #c175
  | #c176
  | #c177
  | #c178
  | #c179
  | #c180
  | #c181
  | #c182
  | #c183
  | #c184
  | #c185
  | #c186
  | #c187
  | #c188
  | #c189
  | #c190
  | #c191
  | #c192
  | #c193
  | #c194
  | #c195
  | #c196
  | #c197
  | #c198
  | #c199
  | #c200
  | #c201
  | #c202
  | #c203
  | #c204
  | #c205
  | #c206
  | #c207
  | #c208
  | #c209
  | #c210
  | #c211
  | #c212
  | #c213
  | #c214
  | #c215
  | #c216
  | #c217
  | #c218
  | #c219
  | #c220
  | #c221
  | #c222
  | #c223
  | #c224
  | #c225
  | #c226
  | #c227
  | #c228
  | #c229
  | #c230
  | #c231
  | #c232
  | #c233
  | #c234
  | #c235
  | #c236
  | #c237
  | #c238
  | #c239
  | #c240
  | #c241
  | #c242
  | #c243
  | #c244
  | #c245
  | #c246
  | #c247
  | #c248
  | #c249
  | #c250
  | #c251
  | #c252
  | #c253
  | #c254
  | #c255
  | #c256
  | #c257
  | #c258
  | #c259
  | #c260
  | #c261
  | #c262
  | #c263
  | #c264
  | #c265
  | #c266
  | #c267
  | #c268
  | #c269
  | #c270
  | #c271
  | #c272
  | #c273
  | #c274
  | #c275
  | #c276
  | #c277
  | #c278
  | #c279
  | #c280
  | #c281
  | #c282
  | #c283
  | #c284
  | #c285
  | #c286
  | #c287
  | #c288
  | #c289
  | #c290
  | #c291
  | #c292
  | #c293
  | #c294
  | #c295
  | #c296
  | #c297
  | #c298
  | #c299

type rec cell =
  #d0
  | #d1 i64
  | #d2 i64
  | #d3 i64
  | #d4 i64
  | #d5 i64
  | #d6 i64
  | #d7 i64
  | #d8 i64
  | #d9 i64
  | #d10 i64
  | #d11 i64
  | #d12 i64
  | #d13 i64
  | #d14 i64
  | #d15 i64
  | #d16 i64
  | #d17 i64
  | #d18 i64
  | #d19 i64
  | #d20 i64
  | #d21 i64
  | #d22 i64
  | #d23 i64
  | #d24 i64
  | #d25 i64
  | #d26 i64
  | #d27 i64
  | #d28 i64
  | #d29 i64
  | #d30 i64
  | #d31 i64
  | #d32 i64
  | #d33 i64
  | #d34 i64
  | #d35 i64
  | #d36 i64
  | #d37 i64
  | #d38 i64
  | #d39 i64
  | #d40 i64
  | #d41 i64
  | #d42 i64
  | #d43 i64
  | #d44 i64
  | #d45 i64
  | #d46 i64
  | #d47 i64
  | #d48 i64
  | #d49 i64
  | #d50 i64
  | #d51 i64
  | #d52 i64
  | #d53 i64
  | #d54 i64
  | #d55 i64
  | #d56 i64
  | #d57 i64
  | #d58 i64
  | #d59 i64
  | #d60 i64
  | #d61 i64
  | #d62 i64
  | #d63 i64
  | #d64 i64
  | #d65 i64
  | #d66 i64
  | #d67 i64
  | #d68 i64
  | #d69 i64
  | #d70 i64
  | #d71 i64
  | #d72 i64
  | #d73 i64
  | #d74 i64
  | #d75 i64
  | #d76 i64
  | #d77 i64
  | #d78 i64
  | #d79 i64
  | #d80 i64
  | #d81 i64
  | #d82 i64
  | #d83 i64
  | #d84 i64
  | #d85 i64
  | #d86 i64
  | #d87 i64
  | #d88 i64
  | #d89 i64
  | #d90 i64
  | #d91 i64
  | #d92 i64
  | #d93 i64
  | #d94 i64
  | #d95 i64
  | #d96 i64
  | #d97 i64
  | #d98 i64
  | #d99 i64
  | #d100 i64
  | #d101 i64
  | #d102 i64
  | #d103 i64
  | #d104 i64
  | #d105 i64
  | #d106 i64
  | #d107 i64
  | #d108 i64
  | #d109 i64
  | #d110 i64
  | #d111 i64
  | #d112 i64
  | #d113 i64
  | #d114 i64
  | #d115 i64
  | #d116 i64
  | #d117 i64
  | #d118 i64
  | #d119 i64
  | #d120 i64
  | #d121 i64
  | #d122 i64
  | #d123 i64
  | #d124 i64
  | #d125 i64
  | #d126 i64
  | #d127 i64
  | #d128 i64
  | #d129 i64
  | #d130 i64
  | #d131 i64
  | #d132 i64
  | #d133 i64
  | #d134 i64
  | #d135 i64
  | #d136 i64
  | #d137 i64
  | #d138 i64
  | #d139 i64
  | #d140 i64
  | #d141 i64
  | #d142 i64
  | #d143 i64
  | #d144 i64
  | #d145 i64
  | #d146 i64
  | #d147 i64
  | #d148 i64
  | #d149 i64
  | #d150 i64
  | #d151 i64
  | #d152 i64
  | #d153 i64
  | #d154 i64
  | #d155 i64
  | #d156 i64
  | #d157 i64
  | #d158 i64
  | #d159 i64
  | #d160 i64
  | #d161 i64
  | #d162 i64
  | #d163 i64
  | #d164 i64
  | #d165 i64
  | #d166 i64
  | #d167 i64
  | #d168 i64
  | #d169 i64
  | #d170 i64
  | #d171 i64
  | #d172 i64
  | #d173 i64
  | #d174 i64
  | #d175 i64
  | #d176 i64
  | #d177 i64
  | #d178 i64
  | #d179 i64
  | #d180 i64
  | #d181 i64
  | #d182 i64
  | #d183 i64
  | #d184 i64
  | #d185 i64
  | #d186 i64
  | #d187 i64
  | #d188 i64
  | #d189 i64
  | #d190 i64
  | #d191 i64
  | #d192 i64
  | #d193 i64
  | #d194 i64
  | #d195 i64
  | #d196 i64
  | #d197 i64
  | #d198 i64
  | #d199 i64
  | #d200 i64
  | #d201 i64
  | #d202 i64
  | #d203 i64
  | #d204 i64
  | #d205 i64
  | #d206 i64
  | #d207 i64
  | #d208 i64
  | #d209 i64
  | #d210 i64
  | #d211 i64
  | #d212 i64
  | #d213 i64
  | #d214 i64
  | #d215 i64
  | #d216 i64
  | #d217 i64
  | #d218 i64
  | #d219 i64
  | #d220 i64
  | #d221 i64
  | #d222 i64
  | #d223 i64
  | #d224 i64
  | #d225 i64
  | #d226 i64
  | #d227 i64
  | #d228 i64
  | #d229 i64
  | #d230 i64
  | #d231 i64
  | #d232 i64
  | #d233 i64
  | #d234 i64
  | #d235 i64
  | #d236 i64
  | #d237 i64
  | #d238 i64
  | #d239 i64
  | #d240 i64
  | #d241 i64
  | #d242 i64
  | #d243 i64
  | #d244 i64
  | #d245 i64
  | #d246 i64
  | #d247 i64
  | #d248 i64
  | #d249 i64
  | #d250 i64
  | #d251 i64
  | #d252 i64
  | #d253 i64
  | #d254 i64
  | #d255 i64
  | #d256 i64
  | #d257 i64
  | #d258 i64
  | #d259 i64
  | #d260 i64
  | #d261 i64
  | #d262 i64
  | #d263 i64
  | #d264 i64
  | #d265 i64
  | #d266 i64
  | #d267 i64
  | #d268 i64
  | #d269 i64
  | #d270 i64
  | #d271 i64
  | #d272 i64
  | #d273 i64
  | #d274 i64
  | #d275 i64
  | #d276 i64
  | #d277 i64
  | #d278 i64
  | #d279 i64
  | #d280 i64
  | #d281 i64
  | #d282 i64
  | #d283 i64
  | #d284 i64
  | #d285 i64
  | #d286 i64
  | #d287 i64
  | #d288 i64
  | #d289 i64
  | #d290 i64
  | #d291 i64
  | #d292 i64
  | #d293 i64
  | #d294 i64
  | #d295 i64
  | #d296 i64
  | #d297 i64
  | #d298 i64
  | #d299 i64
  | #link cell cell

def sum_of (i: i64) : sum =
  match i
  case 0 -> #c0
  case 1 -> #c1
  case 2 -> #c2
  case 3 -> #c3
  case 4 -> #c4
  case 5 -> #c5
  case 6 -> #c6
  case 7 -> #c7
  case 8 -> #c8
  case 9 -> #c9
  case 10 -> #c10
  case 11 -> #c11
  case 12 -> #c12
  case 13 -> #c13
  case 14 -> #c14
  case 15 -> #c15
  case 16 -> #c16
  case 17 -> #c17
  case 18 -> #c18
  case 19 -> #c19
  case 20 -> #c20
  case 21 -> #c21
  case 22 -> #c22
  case 23 -> #c23
  case 24 -> #c24
  case 25 -> #c25
  case 26 -> #c26
  case 27 -> #c27
  case 28 -> #c28
  case 29 -> #c29
  case 30 -> #c30
  case 31 -> #c31
  case 32 -> #c32
  case 33 -> #c33
  case 34 -> #c34
  case 35 -> #c35
  case 36 -> #c36
  case 37 -> #c37
  case 38 -> #c38
  case 39 -> #c39
  case 40 -> #c40
  case 41 -> #c41
  case 42 -> #c42
  case 43 -> #c43
  case 44 -> #c44
  case 45 -> #c45
  case 46 -> #c46
  case 47 -> #c47
  case 48 -> #c48
  case 49 -> #c49
  case 50 -> #c50
  case 51 -> #c51
  case 52 -> #c52
  case 53 -> #c53
  case 54 -> #c54
  case 55 -> #c55
  case 56 -> #c56
  case 57 -> #c57
  case 58 -> #c58
  case 59 -> #c59
  case 60 -> #c60
  case 61 -> #c61
  case 62 -> #c62
  case 63 -> #c63
  case 64 -> #c64
  case 65 -> #c65
  case 66 -> #c66
  case 67 -> #c67
  case 68 -> #c68
  case 69 -> #c69
  case 70 -> #c70
  case 71 -> #c71
  case 72 -> #c72
  case 73 -> #c73
  case 74 -> #c74
  case 75 -> #c75
  case 76 -> #c76
  case 77 -> #c77
  case 78 -> #c78
  case 79 -> #c79
  case 80 -> #c80
  case 81 -> #c81
  case 82 -> #c82
  case 83 -> #c83
  case 84 -> #c84
  case 85 -> #c85
  case 86 -> #c86
  case 87 -> #c87
  case 88 -> #c88
  case 89 -> #c89
  case 90 -> #c90
  case 91 -> #c91
  case 92 -> #c92
  case 93 -> #c93
  case 94 -> #c94
  case 95 -> #c95
  case 96 -> #c96
  case 97 -> #c97
  case 98 -> #c98
  case 99 -> #c99
  case 100 -> #c100
  case 101 -> #c101
  case 102 -> #c102
  case 103 -> #c103
  case 104 -> #c104
  case 105 -> #c105
  case 106 -> #c106
  case 107 -> #c107
  case 108 -> #c108
  case 109 -> #c109
  case 110 -> #c110
  case 111 -> #c111
  case 112 -> #c112
  case 113 -> #c113
  case 114 -> #c114
  case 115 -> #c115
  case 116 -> #c116
  case 117 -> #c117
  case 118 -> #c118
  case 119 -> #c119
  case 120 -> #c120
  case 121 -> #c121
  case 122 -> #c122
  case 123 -> #c123
  case 124 -> #c124
  case 125 -> #c125
  case 126 -> #c126
  case 127 -> #c127
  case 128 -> #c128
  case 129 -> #c129
  case 130 -> #c130
  case 131 -> #c131
  case 132 -> #c132
  case 133 -> #c133
  case 134 -> #c134
  case 135 -> #c135
  case 136 -> #c136
  case 137 -> #c137
  case 138 -> #c138
  case 139 -> #c139
  case 140 -> #c140
  case 141 -> #c141
  case 142 -> #c142
  case 143 -> #c143
  case 144 -> #c144
  case 145 -> #c145
  case 146 -> #c146
  case 147 -> #c147
  case 148 -> #c148
  case 149 -> #c149
  case 150 -> #c150
  case 151 -> #c151
  case 152 -> #c152
  case 153 -> #c153
  case 154 -> #c154
  case 155 -> #c155
  case 156 -> #c156
  case 157 -> #c157
  case 158 -> #c158
  case 159 -> #c159
  case 160 -> #c160
  case 161 -> #c161
  case 162 -> #c162
  case 163 -> #c163
  case 164 -> #c164
  case 165 -> #c165
  case 166 -> #c166
  case 167 -> #c167
  case 168 -> #c168
  case 169 -> #c169
  case 170 -> #c170
  case 171 -> #c171
  case 172 -> #c172
  case 173 -> #c173
  case 174 -> #c174
  case 175 -> #c175
  case 176 -> #c176
  case 177 -> #c177
  case 178 -> #c178
  case 179 -> #c179
  case 180 -> #c180
  case 181 -> #c181
  case 182 -> #c182
  case 183 -> #c183
  case 184 -> #c184
  case 185 -> #c185
  case 186 -> #c186
  case 187 -> #c187
  case 188 -> #c188
  case 189 -> #c189
  case 190 -> #c190
  case 191 -> #c191
  case 192 -> #c192
  case 193 -> #c193
  case 194 -> #c194
  case 195 -> #c195
  case 196 -> #c196
  case 197 -> #c197
  case 198 -> #c198
  case 199 -> #c199
  case 200 -> #c200
  case 201 -> #c201
  case 202 -> #c202
  case 203 -> #c203
  case 204 -> #c204
  case 205 -> #c205
  case 206 -> #c206
  case 207 -> #c207
  case 208 -> #c208
  case 209 -> #c209
  case 210 -> #c210
  case 211 -> #c211
  case 212 -> #c212
  case 213 -> #c213
  case 214 -> #c214
  case 215 -> #c215
  case 216 -> #c216
  case 217 -> #c217
  case 218 -> #c218
  case 219 -> #c219
  case 220 -> #c220
  case 221 -> #c221
  case 222 -> #c222
  case 223 -> #c223
  case 224 -> #c224
  case 225 -> #c225
  case 226 -> #c226
  case 227 -> #c227
  case 228 -> #c228
  case 229 -> #c229
  case 230 -> #c230
  case 231 -> #c231
  case 232 -> #c232
  case 233 -> #c233
  case 234 -> #c234
  case 235 -> #c235
  case 236 -> #c236
  case 237 -> #c237
  case 238 -> #c238
  case 239 -> #c239
  case 240 -> #c240
  case 241 -> #c241
  case 242 -> #c242
  case 243 -> #c243
  case 244 -> #c244
  case 245 -> #c245
  case 246 -> #c246
  case 247 -> #c247
  case 248 -> #c248
  case 249 -> #c249
  case 250 -> #c250
  case 251 -> #c251
  case 252 -> #c252
  case 253 -> #c253
  case 254 -> #c254
  case 255 -> #c255
  case 256 -> #c256
  case 257 -> #c257
  case 258 -> #c258
  case 259 -> #c259
  case 260 -> #c260
  case 261 -> #c261
  case 262 -> #c262
  case 263 -> #c263
  case 264 -> #c264
  case 265 -> #c265
  case 266 -> #c266
  case 267 -> #c267
  case 268 -> #c268
  case 269 -> #c269
  case 270 -> #c270
  case 271 -> #c271
  case 272 -> #c272
  case 273 -> #c273
  case 274 -> #c274
  case 275 -> #c275
  case 276 -> #c276
  case 277 -> #c277
  case 278 -> #c278
  case 279 -> #c279
  case 280 -> #c280
  case 281 -> #c281
  case 282 -> #c282
  case 283 -> #c283
  case 284 -> #c284
  case 285 -> #c285
  case 286 -> #c286
  case 287 -> #c287
  case 288 -> #c288
  case 289 -> #c289
  case 290 -> #c290
  case 291 -> #c291
  case 292 -> #c292
  case 293 -> #c293
  case 294 -> #c294
  case 295 -> #c295
  case 296 -> #c296
  case 297 -> #c297
  case 298 -> #c298
  case _ -> #c299

def of_sum_value (s: sum) : i64 =
  match s
  case #c0 -> 0
  case #c1 -> 1
  case #c2 -> 2
  case #c3 -> 3
  case #c4 -> 4
  case #c5 -> 5
  case #c6 -> 6
  case #c7 -> 7
  case #c8 -> 8
  case #c9 -> 9
  case #c10 -> 10
  case #c11 -> 11
  case #c12 -> 12
  case #c13 -> 13
  case #c14 -> 14
  case #c15 -> 15
  case #c16 -> 16
  case #c17 -> 17
  case #c18 -> 18
  case #c19 -> 19
  case #c20 -> 20
  case #c21 -> 21
  case #c22 -> 22
  case #c23 -> 23
  case #c24 -> 24
  case #c25 -> 25
  case #c26 -> 26
  case #c27 -> 27
  case #c28 -> 28
  case #c29 -> 29
  case #c30 -> 30
  case #c31 -> 31
  case #c32 -> 32
  case #c33 -> 33
  case #c34 -> 34
  case #c35 -> 35
  case #c36 -> 36
  case #c37 -> 37
  case #c38 -> 38
  case #c39 -> 39
  case #c40 -> 40
  case #c41 -> 41
  case #c42 -> 42
  case #c43 -> 43
  case #c44 -> 44
  case #c45 -> 45
  case #c46 -> 46
  case #c47 -> 47
  case #c48 -> 48
  case #c49 -> 49
  case #c50 -> 50
  case #c51 -> 51
  case #c52 -> 52
  case #c53 -> 53
  case #c54 -> 54
  case #c55 -> 55
  case #c56 -> 56
  case #c57 -> 57
  case #c58 -> 58
  case #c59 -> 59
  case #c60 -> 60
  case #c61 -> 61
  case #c62 -> 62
  case #c63 -> 63
  case #c64 -> 64
  case #c65 -> 65
  case #c66 -> 66
  case #c67 -> 67
  case #c68 -> 68
  case #c69 -> 69
  case #c70 -> 70
  case #c71 -> 71
  case #c72 -> 72
  case #c73 -> 73
  case #c74 -> 74
  case #c75 -> 75
  case #c76 -> 76
  case #c77 -> 77
  case #c78 -> 78
  case #c79 -> 79
  case #c80 -> 80
  case #c81 -> 81
  case #c82 -> 82
  case #c83 -> 83
  case #c84 -> 84
  case #c85 -> 85
  case #c86 -> 86
  case #c87 -> 87
  case #c88 -> 88
  case #c89 -> 89
  case #c90 -> 90
  case #c91 -> 91
  case #c92 -> 92
  case #c93 -> 93
  case #c94 -> 94
  case #c95 -> 95
  case #c96 -> 96
  case #c97 -> 97
  case #c98 -> 98
  case #c99 -> 99
  case #c100 -> 100
  case #c101 -> 101
  case #c102 -> 102
  case #c103 -> 103
  case #c104 -> 104
  case #c105 -> 105
  case #c106 -> 106
  case #c107 -> 107
  case #c108 -> 108
  case #c109 -> 109
  case #c110 -> 110
  case #c111 -> 111
  case #c112 -> 112
  case #c113 -> 113
  case #c114 -> 114
  case #c115 -> 115
  case #c116 -> 116
  case #c117 -> 117
  case #c118 -> 118
  case #c119 -> 119
  case #c120 -> 120
  case #c121 -> 121
  case #c122 -> 122
  case #c123 -> 123
  case #c124 -> 124
  case #c125 -> 125
  case #c126 -> 126
  case #c127 -> 127
  case #c128 -> 128
  case #c129 -> 129
  case #c130 -> 130
  case #c131 -> 131
  case #c132 -> 132
  case #c133 -> 133
  case #c134 -> 134
  case #c135 -> 135
  case #c136 -> 136
  case #c137 -> 137
  case #c138 -> 138
  case #c139 -> 139
  case #c140 -> 140
  case #c141 -> 141
  case #c142 -> 142
  case #c143 -> 143
  case #c144 -> 144
  case #c145 -> 145
  case #c146 -> 146
  case #c147 -> 147
  case #c148 -> 148
  case #c149 -> 149
  case #c150 -> 150
  case #c151 -> 151
  case #c152 -> 152
  case #c153 -> 153
  case #c154 -> 154
  case #c155 -> 155
  case #c156 -> 156
  case #c157 -> 157
  case #c158 -> 158
  case #c159 -> 159
  case #c160 -> 160
  case #c161 -> 161
  case #c162 -> 162
  case #c163 -> 163
  case #c164 -> 164
  case #c165 -> 165
  case #c166 -> 166
  case #c167 -> 167
  case #c168 -> 168
  case #c169 -> 169
  case #c170 -> 170
  case #c171 -> 171
  case #c172 -> 172
  case #c173 -> 173
  case #c174 -> 174
  case #c175 -> 175
  case #c176 -> 176
  case #c177 -> 177
  case #c178 -> 178
  case #c179 -> 179
  case #c180 -> 180
  case #c181 -> 181
  case #c182 -> 182
  case #c183 -> 183
  case #c184 -> 184
  case #c185 -> 185
  case #c186 -> 186
  case #c187 -> 187
  case #c188 -> 188
  case #c189 -> 189
  case #c190 -> 190
  case #c191 -> 191
  case #c192 -> 192
  case #c193 -> 193
  case #c194 -> 194
  case #c195 -> 195
  case #c196 -> 196
  case #c197 -> 197
  case #c198 -> 198
  case #c199 -> 199
  case #c200 -> 200
  case #c201 -> 201
  case #c202 -> 202
  case #c203 -> 203
  case #c204 -> 204
  case #c205 -> 205
  case #c206 -> 206
  case #c207 -> 207
  case #c208 -> 208
  case #c209 -> 209
  case #c210 -> 210
  case #c211 -> 211
  case #c212 -> 212
  case #c213 -> 213
  case #c214 -> 214
  case #c215 -> 215
  case #c216 -> 216
  case #c217 -> 217
  case #c218 -> 218
  case #c219 -> 219
  case #c220 -> 220
  case #c221 -> 221
  case #c222 -> 222
  case #c223 -> 223
  case #c224 -> 224
  case #c225 -> 225
  case #c226 -> 226
  case #c227 -> 227
  case #c228 -> 228
  case #c229 -> 229
  case #c230 -> 230
  case #c231 -> 231
  case #c232 -> 232
  case #c233 -> 233
  case #c234 -> 234
  case #c235 -> 235
  case #c236 -> 236
  case #c237 -> 237
  case #c238 -> 238
  case #c239 -> 239
  case #c240 -> 240
  case #c241 -> 241
  case #c242 -> 242
  case #c243 -> 243
  case #c244 -> 244
  case #c245 -> 245
  case #c246 -> 246
  case #c247 -> 247
  case #c248 -> 248
  case #c249 -> 249
  case #c250 -> 250
  case #c251 -> 251
  case #c252 -> 252
  case #c253 -> 253
  case #c254 -> 254
  case #c255 -> 255
  case #c256 -> 256
  case #c257 -> 257
  case #c258 -> 258
  case #c259 -> 259
  case #c260 -> 260
  case #c261 -> 261
  case #c262 -> 262
  case #c263 -> 263
  case #c264 -> 264
  case #c265 -> 265
  case #c266 -> 266
  case #c267 -> 267
  case #c268 -> 268
  case #c269 -> 269
  case #c270 -> 270
  case #c271 -> 271
  case #c272 -> 272
  case #c273 -> 273
  case #c274 -> 274
  case #c275 -> 275
  case #c276 -> 276
  case #c277 -> 277
  case #c278 -> 278
  case #c279 -> 279
  case #c280 -> 280
  case #c281 -> 281
  case #c282 -> 282
  case #c283 -> 283
  case #c284 -> 284
  case #c285 -> 285
  case #c286 -> 286
  case #c287 -> 287
  case #c288 -> 288
  case #c289 -> 289
  case #c290 -> 290
  case #c291 -> 291
  case #c292 -> 292
  case #c293 -> 293
  case #c294 -> 294
  case #c295 -> 295
  case #c296 -> 296
  case #c297 -> 297
  case #c298 -> 298
  case #c299 -> 299

def cell_of (i: i64) : cell =
  match i
  case 0 -> #d0
  case 1 -> #d1 1
  case 2 -> #d2 2
  case 3 -> #d3 3
  case 4 -> #d4 4
  case 5 -> #d5 5
  case 6 -> #d6 6
  case 7 -> #d7 7
  case 8 -> #d8 8
  case 9 -> #d9 9
  case 10 -> #d10 10
  case 11 -> #d11 11
  case 12 -> #d12 12
  case 13 -> #d13 13
  case 14 -> #d14 14
  case 15 -> #d15 15
  case 16 -> #d16 16
  case 17 -> #d17 17
  case 18 -> #d18 18
  case 19 -> #d19 19
  case 20 -> #d20 20
  case 21 -> #d21 21
  case 22 -> #d22 22
  case 23 -> #d23 23
  case 24 -> #d24 24
  case 25 -> #d25 25
  case 26 -> #d26 26
  case 27 -> #d27 27
  case 28 -> #d28 28
  case 29 -> #d29 29
  case 30 -> #d30 30
  case 31 -> #d31 31
  case 32 -> #d32 32
  case 33 -> #d33 33
  case 34 -> #d34 34
  case 35 -> #d35 35
  case 36 -> #d36 36
  case 37 -> #d37 37
  case 38 -> #d38 38
  case 39 -> #d39 39
  case 40 -> #d40 40
  case 41 -> #d41 41
  case 42 -> #d42 42
  case 43 -> #d43 43
  case 44 -> #d44 44
  case 45 -> #d45 45
  case 46 -> #d46 46
  case 47 -> #d47 47
  case 48 -> #d48 48
  case 49 -> #d49 49
  case 50 -> #d50 50
  case 51 -> #d51 51
  case 52 -> #d52 52
  case 53 -> #d53 53
  case 54 -> #d54 54
  case 55 -> #d55 55
  case 56 -> #d56 56
  case 57 -> #d57 57
  case 58 -> #d58 58
  case 59 -> #d59 59
  case 60 -> #d60 60
  case 61 -> #d61 61
  case 62 -> #d62 62
  case 63 -> #d63 63
  case 64 -> #d64 64
  case 65 -> #d65 65
  case 66 -> #d66 66
  case 67 -> #d67 67
  case 68 -> #d68 68
  case 69 -> #d69 69
  case 70 -> #d70 70
  case 71 -> #d71 71
  case 72 -> #d72 72
  case 73 -> #d73 73
  case 74 -> #d74 74
  case 75 -> #d75 75
  case 76 -> #d76 76
  case 77 -> #d77 77
  case 78 -> #d78 78
  case 79 -> #d79 79
  case 80 -> #d80 80
  case 81 -> #d81 81
  case 82 -> #d82 82
  case 83 -> #d83 83
  case 84 -> #d84 84
  case 85 -> #d85 85
  case 86 -> #d86 86
  case 87 -> #d87 87
  case 88 -> #d88 88
  case 89 -> #d89 89
  case 90 -> #d90 90
  case 91 -> #d91 91
  case 92 -> #d92 92
  case 93 -> #d93 93
  case 94 -> #d94 94
  case 95 -> #d95 95
  case 96 -> #d96 96
  case 97 -> #d97 97
  case 98 -> #d98 98
  case 99 -> #d99 99
  case 100 -> #d100 100
  case 101 -> #d101 101
  case 102 -> #d102 102
  case 103 -> #d103 103
  case 104 -> #d104 104
  case 105 -> #d105 105
  case 106 -> #d106 106
  case 107 -> #d107 107
  case 108 -> #d108 108
  case 109 -> #d109 109
  case 110 -> #d110 110
  case 111 -> #d111 111
  case 112 -> #d112 112
  case 113 -> #d113 113
  case 114 -> #d114 114
  case 115 -> #d115 115
  case 116 -> #d116 116
  case 117 -> #d117 117
  case 118 -> #d118 118
  case 119 -> #d119 119
  case 120 -> #d120 120
  case 121 -> #d121 121
  case 122 -> #d122 122
  case 123 -> #d123 123
  case 124 -> #d124 124
  case 125 -> #d125 125
  case 126 -> #d126 126
  case 127 -> #d127 127
  case 128 -> #d128 128
  case 129 -> #d129 129
  case 130 -> #d130 130
  case 131 -> #d131 131
  case 132 -> #d132 132
  case 133 -> #d133 133
  case 134 -> #d134 134
  case 135 -> #d135 135
  case 136 -> #d136 136
  case 137 -> #d137 137
  case 138 -> #d138 138
  case 139 -> #d139 139
  case 140 -> #d140 140
  case 141 -> #d141 141
  case 142 -> #d142 142
  case 143 -> #d143 143
  case 144 -> #d144 144
  case 145 -> #d145 145
  case 146 -> #d146 146
  case 147 -> #d147 147
  case 148 -> #d148 148
  case 149 -> #d149 149
  case 150 -> #d150 150
  case 151 -> #d151 151
  case 152 -> #d152 152
  case 153 -> #d153 153
  case 154 -> #d154 154
  case 155 -> #d155 155
  case 156 -> #d156 156
  case 157 -> #d157 157
  case 158 -> #d158 158
  case 159 -> #d159 159
  case 160 -> #d160 160
  case 161 -> #d161 161
  case 162 -> #d162 162
  case 163 -> #d163 163
  case 164 -> #d164 164
  case 165 -> #d165 165
  case 166 -> #d166 166
  case 167 -> #d167 167
  case 168 -> #d168 168
  case 169 -> #d169 169
  case 170 -> #d170 170
  case 171 -> #d171 171
  case 172 -> #d172 172
  case 173 -> #d173 173
  case 174 -> #d174 174
  case 175 -> #d175 175
  case 176 -> #d176 176
  case 177 -> #d177 177
  case 178 -> #d178 178
  case 179 -> #d179 179
  case 180 -> #d180 180
  case 181 -> #d181 181
  case 182 -> #d182 182
  case 183 -> #d183 183
  case 184 -> #d184 184
  case 185 -> #d185 185
  case 186 -> #d186 186
  case 187 -> #d187 187
  case 188 -> #d188 188
  case 189 -> #d189 189
  case 190 -> #d190 190
  case 191 -> #d191 191
  case 192 -> #d192 192
  case 193 -> #d193 193
  case 194 -> #d194 194
  case 195 -> #d195 195
  case 196 -> #d196 196
  case 197 -> #d197 197
  case 198 -> #d198 198
  case 199 -> #d199 199
  case 200 -> #d200 200
  case 201 -> #d201 201
  case 202 -> #d202 202
  case 203 -> #d203 203
  case 204 -> #d204 204
  case 205 -> #d205 205
  case 206 -> #d206 206
  case 207 -> #d207 207
  case 208 -> #d208 208
  case 209 -> #d209 209
  case 210 -> #d210 210
  case 211 -> #d211 211
  case 212 -> #d212 212
  case 213 -> #d213 213
  case 214 -> #d214 214
  case 215 -> #d215 215
  case 216 -> #d216 216
  case 217 -> #d217 217
  case 218 -> #d218 218
  case 219 -> #d219 219
  case 220 -> #d220 220
  case 221 -> #d221 221
  case 222 -> #d222 222
  case 223 -> #d223 223
  case 224 -> #d224 224
  case 225 -> #d225 225
  case 226 -> #d226 226
  case 227 -> #d227 227
  case 228 -> #d228 228
  case 229 -> #d229 229
  case 230 -> #d230 230
  case 231 -> #d231 231
  case 232 -> #d232 232
  case 233 -> #d233 233
  case 234 -> #d234 234
  case 235 -> #d235 235
  case 236 -> #d236 236
  case 237 -> #d237 237
  case 238 -> #d238 238
  case 239 -> #d239 239
  case 240 -> #d240 240
  case 241 -> #d241 241
  case 242 -> #d242 242
  case 243 -> #d243 243
  case 244 -> #d244 244
  case 245 -> #d245 245
  case 246 -> #d246 246
  case 247 -> #d247 247
  case 248 -> #d248 248
  case 249 -> #d249 249
  case 250 -> #d250 250
  case 251 -> #d251 251
  case 252 -> #d252 252
  case 253 -> #d253 253
  case 254 -> #d254 254
  case 255 -> #d255 255
  case 256 -> #d256 256
  case 257 -> #d257 257
  case 258 -> #d258 258
  case 259 -> #d259 259
  case 260 -> #d260 260
  case 261 -> #d261 261
  case 262 -> #d262 262
  case 263 -> #d263 263
  case 264 -> #d264 264
  case 265 -> #d265 265
  case 266 -> #d266 266
  case 267 -> #d267 267
  case 268 -> #d268 268
  case 269 -> #d269 269
  case 270 -> #d270 270
  case 271 -> #d271 271
  case 272 -> #d272 272
  case 273 -> #d273 273
  case 274 -> #d274 274
  case 275 -> #d275 275
  case 276 -> #d276 276
  case 277 -> #d277 277
  case 278 -> #d278 278
  case 279 -> #d279 279
  case 280 -> #d280 280
  case 281 -> #d281 281
  case 282 -> #d282 282
  case 283 -> #d283 283
  case 284 -> #d284 284
  case 285 -> #d285 285
  case 286 -> #d286 286
  case 287 -> #d287 287
  case 288 -> #d288 288
  case 289 -> #d289 289
  case 290 -> #d290 290
  case 291 -> #d291 291
  case 292 -> #d292 292
  case 293 -> #d293 293
  case 294 -> #d294 294
  case 295 -> #d295 295
  case 296 -> #d296 296
  case 297 -> #d297 297
  case 298 -> #d298 298
  case _ -> #d299 299

def of_cell (c: cell) : i64 =
  match c
  case #d0 -> 0
  case #d1 x -> x + 1 - 1
  case #d2 x -> x + 2 - 2
  case #d3 x -> x + 3 - 3
  case #d4 x -> x + 4 - 4
  case #d5 x -> x + 5 - 5
  case #d6 x -> x + 6 - 6
  case #d7 x -> x + 7 - 7
  case #d8 x -> x + 8 - 8
  case #d9 x -> x + 9 - 9
  case #d10 x -> x + 10 - 10
  case #d11 x -> x + 11 - 11
  case #d12 x -> x + 12 - 12
  case #d13 x -> x + 13 - 13
  case #d14 x -> x + 14 - 14
  case #d15 x -> x + 15 - 15
  case #d16 x -> x + 16 - 16
  case #d17 x -> x + 17 - 17
  case #d18 x -> x + 18 - 18
  case #d19 x -> x + 19 - 19
  case #d20 x -> x + 20 - 20
  case #d21 x -> x + 21 - 21
  case #d22 x -> x + 22 - 22
  case #d23 x -> x + 23 - 23
  case #d24 x -> x + 24 - 24
  case #d25 x -> x + 25 - 25
  case #d26 x -> x + 26 - 26
  case #d27 x -> x + 27 - 27
  case #d28 x -> x + 28 - 28
  case #d29 x -> x + 29 - 29
  case #d30 x -> x + 30 - 30
  case #d31 x -> x + 31 - 31
  case #d32 x -> x + 32 - 32
  case #d33 x -> x + 33 - 33
  case #d34 x -> x + 34 - 34
  case #d35 x -> x + 35 - 35
  case #d36 x -> x + 36 - 36
  case #d37 x -> x + 37 - 37
  case #d38 x -> x + 38 - 38
  case #d39 x -> x + 39 - 39
  case #d40 x -> x + 40 - 40
  case #d41 x -> x + 41 - 41
  case #d42 x -> x + 42 - 42
  case #d43 x -> x + 43 - 43
  case #d44 x -> x + 44 - 44
  case #d45 x -> x + 45 - 45
  case #d46 x -> x + 46 - 46
  case #d47 x -> x + 47 - 47
  case #d48 x -> x + 48 - 48
  case #d49 x -> x + 49 - 49
  case #d50 x -> x + 50 - 50
  case #d51 x -> x + 51 - 51
  case #d52 x -> x + 52 - 52
  case #d53 x -> x + 53 - 53
  case #d54 x -> x + 54 - 54
  case #d55 x -> x + 55 - 55
  case #d56 x -> x + 56 - 56
  case #d57 x -> x + 57 - 57
  case #d58 x -> x + 58 - 58
  case #d59 x -> x + 59 - 59
  case #d60 x -> x + 60 - 60
  case #d61 x -> x + 61 - 61
  case #d62 x -> x + 62 - 62
  case #d63 x -> x + 63 - 63
  case #d64 x -> x + 64 - 64
  case #d65 x -> x + 65 - 65
  case #d66 x -> x + 66 - 66
  case #d67 x -> x + 67 - 67
  case #d68 x -> x + 68 - 68
  case #d69 x -> x + 69 - 69
  case #d70 x -> x + 70 - 70
  case #d71 x -> x + 71 - 71
  case #d72 x -> x + 72 - 72
  case #d73 x -> x + 73 - 73
  case #d74 x -> x + 74 - 74
  case #d75 x -> x + 75 - 75
  case #d76 x -> x + 76 - 76
  case #d77 x -> x + 77 - 77
  case #d78 x -> x + 78 - 78
  case #d79 x -> x + 79 - 79
  case #d80 x -> x + 80 - 80
  case #d81 x -> x + 81 - 81
  case #d82 x -> x + 82 - 82
  case #d83 x -> x + 83 - 83
  case #d84 x -> x + 84 - 84
  case #d85 x -> x + 85 - 85
  case #d86 x -> x + 86 - 86
  case #d87 x -> x + 87 - 87
  case #d88 x -> x + 88 - 88
  case #d89 x -> x + 89 - 89
  case #d90 x -> x + 90 - 90
  case #d91 x -> x + 91 - 91
  case #d92 x -> x + 92 - 92
  case #d93 x -> x + 93 - 93
  case #d94 x -> x + 94 - 94
  case #d95 x -> x + 95 - 95
  case #d96 x -> x + 96 - 96
  case #d97 x -> x + 97 - 97
  case #d98 x -> x + 98 - 98
  case #d99 x -> x + 99 - 99
  case #d100 x -> x + 100 - 100
  case #d101 x -> x + 101 - 101
  case #d102 x -> x + 102 - 102
  case #d103 x -> x + 103 - 103
  case #d104 x -> x + 104 - 104
  case #d105 x -> x + 105 - 105
  case #d106 x -> x + 106 - 106
  case #d107 x -> x + 107 - 107
  case #d108 x -> x + 108 - 108
  case #d109 x -> x + 109 - 109
  case #d110 x -> x + 110 - 110
  case #d111 x -> x + 111 - 111
  case #d112 x -> x + 112 - 112
  case #d113 x -> x + 113 - 113
  case #d114 x -> x + 114 - 114
  case #d115 x -> x + 115 - 115
  case #d116 x -> x + 116 - 116
  case #d117 x -> x + 117 - 117
  case #d118 x -> x + 118 - 118
  case #d119 x -> x + 119 - 119
  case #d120 x -> x + 120 - 120
  case #d121 x -> x + 121 - 121
  case #d122 x -> x + 122 - 122
  case #d123 x -> x + 123 - 123
  case #d124 x -> x + 124 - 124
  case #d125 x -> x + 125 - 125
  case #d126 x -> x + 126 - 126
  case #d127 x -> x + 127 - 127
  case #d128 x -> x + 128 - 128
  case #d129 x -> x + 129 - 129
  case #d130 x -> x + 130 - 130
  case #d131 x -> x + 131 - 131
  case #d132 x -> x + 132 - 132
  case #d133 x -> x + 133 - 133
  case #d134 x -> x + 134 - 134
  case #d135 x -> x + 135 - 135
  case #d136 x -> x + 136 - 136
  case #d137 x -> x + 137 - 137
  case #d138 x -> x + 138 - 138
  case #d139 x -> x + 139 - 139
  case #d140 x -> x + 140 - 140
  case #d141 x -> x + 141 - 141
  case #d142 x -> x + 142 - 142
  case #d143 x -> x + 143 - 143
  case #d144 x -> x + 144 - 144
  case #d145 x -> x + 145 - 145
  case #d146 x -> x + 146 - 146
  case #d147 x -> x + 147 - 147
  case #d148 x -> x + 148 - 148
  case #d149 x -> x + 149 - 149
  case #d150 x -> x + 150 - 150
  case #d151 x -> x + 151 - 151
  case #d152 x -> x + 152 - 152
  case #d153 x -> x + 153 - 153
  case #d154 x -> x + 154 - 154
  case #d155 x -> x + 155 - 155
  case #d156 x -> x + 156 - 156
  case #d157 x -> x + 157 - 157
  case #d158 x -> x + 158 - 158
  case #d159 x -> x + 159 - 159
  case #d160 x -> x + 160 - 160
  case #d161 x -> x + 161 - 161
  case #d162 x -> x + 162 - 162
  case #d163 x -> x + 163 - 163
  case #d164 x -> x + 164 - 164
  case #d165 x -> x + 165 - 165
  case #d166 x -> x + 166 - 166
  case #d167 x -> x + 167 - 167
  case #d168 x -> x + 168 - 168
  case #d169 x -> x + 169 - 169
  case #d170 x -> x + 170 - 170
  case #d171 x -> x + 171 - 171
  case #d172 x -> x + 172 - 172
  case #d173 x -> x + 173 - 173
  case #d174 x -> x + 174 - 174
  case #d175 x -> x + 175 - 175
  case #d176 x -> x + 176 - 176
  case #d177 x -> x + 177 - 177
  case #d178 x -> x + 178 - 178
  case #d179 x -> x + 179 - 179
  case #d180 x -> x + 180 - 180
  case #d181 x -> x + 181 - 181
  case #d182 x -> x + 182 - 182
  case #d183 x -> x + 183 - 183
  case #d184 x -> x + 184 - 184
  case #d185 x -> x + 185 - 185
  case #d186 x -> x + 186 - 186
  case #d187 x -> x + 187 - 187
  case #d188 x -> x + 188 - 188
  case #d189 x -> x + 189 - 189
  case #d190 x -> x + 190 - 190
  case #d191 x -> x + 191 - 191
  case #d192 x -> x + 192 - 192
  case #d193 x -> x + 193 - 193
  case #d194 x -> x + 194 - 194
  case #d195 x -> x + 195 - 195
  case #d196 x -> x + 196 - 196
  case #d197 x -> x + 197 - 197
  case #d198 x -> x + 198 - 198
  case #d199 x -> x + 199 - 199
  case #d200 x -> x + 200 - 200
  case #d201 x -> x + 201 - 201
  case #d202 x -> x + 202 - 202
  case #d203 x -> x + 203 - 203
  case #d204 x -> x + 204 - 204
  case #d205 x -> x + 205 - 205
  case #d206 x -> x + 206 - 206
  case #d207 x -> x + 207 - 207
  case #d208 x -> x + 208 - 208
  case #d209 x -> x + 209 - 209
  case #d210 x -> x + 210 - 210
  case #d211 x -> x + 211 - 211
  case #d212 x -> x + 212 - 212
  case #d213 x -> x + 213 - 213
  case #d214 x -> x + 214 - 214
  case #d215 x -> x + 215 - 215
  case #d216 x -> x + 216 - 216
  case #d217 x -> x + 217 - 217
  case #d218 x -> x + 218 - 218
  case #d219 x -> x + 219 - 219
  case #d220 x -> x + 220 - 220
  case #d221 x -> x + 221 - 221
  case #d222 x -> x + 222 - 222
  case #d223 x -> x + 223 - 223
  case #d224 x -> x + 224 - 224
  case #d225 x -> x + 225 - 225
  case #d226 x -> x + 226 - 226
  case #d227 x -> x + 227 - 227
  case #d228 x -> x + 228 - 228
  case #d229 x -> x + 229 - 229
  case #d230 x -> x + 230 - 230
  case #d231 x -> x + 231 - 231
  case #d232 x -> x + 232 - 232
  case #d233 x -> x + 233 - 233
  case #d234 x -> x + 234 - 234
  case #d235 x -> x + 235 - 235
  case #d236 x -> x + 236 - 236
  case #d237 x -> x + 237 - 237
  case #d238 x -> x + 238 - 238
  case #d239 x -> x + 239 - 239
  case #d240 x -> x + 240 - 240
  case #d241 x -> x + 241 - 241
  case #d242 x -> x + 242 - 242
  case #d243 x -> x + 243 - 243
  case #d244 x -> x + 244 - 244
  case #d245 x -> x + 245 - 245
  case #d246 x -> x + 246 - 246
  case #d247 x -> x + 247 - 247
  case #d248 x -> x + 248 - 248
  case #d249 x -> x + 249 - 249
  case #d250 x -> x + 250 - 250
  case #d251 x -> x + 251 - 251
  case #d252 x -> x + 252 - 252
  case #d253 x -> x + 253 - 253
  case #d254 x -> x + 254 - 254
  case #d255 x -> x + 255 - 255
  case #d256 x -> x + 256 - 256
  case #d257 x -> x + 257 - 257
  case #d258 x -> x + 258 - 258
  case #d259 x -> x + 259 - 259
  case #d260 x -> x + 260 - 260
  case #d261 x -> x + 261 - 261
  case #d262 x -> x + 262 - 262
  case #d263 x -> x + 263 - 263
  case #d264 x -> x + 264 - 264
  case #d265 x -> x + 265 - 265
  case #d266 x -> x + 266 - 266
  case #d267 x -> x + 267 - 267
  case #d268 x -> x + 268 - 268
  case #d269 x -> x + 269 - 269
  case #d270 x -> x + 270 - 270
  case #d271 x -> x + 271 - 271
  case #d272 x -> x + 272 - 272
  case #d273 x -> x + 273 - 273
  case #d274 x -> x + 274 - 274
  case #d275 x -> x + 275 - 275
  case #d276 x -> x + 276 - 276
  case #d277 x -> x + 277 - 277
  case #d278 x -> x + 278 - 278
  case #d279 x -> x + 279 - 279
  case #d280 x -> x + 280 - 280
  case #d281 x -> x + 281 - 281
  case #d282 x -> x + 282 - 282
  case #d283 x -> x + 283 - 283
  case #d284 x -> x + 284 - 284
  case #d285 x -> x + 285 - 285
  case #d286 x -> x + 286 - 286
  case #d287 x -> x + 287 - 287
  case #d288 x -> x + 288 - 288
  case #d289 x -> x + 289 - 289
  case #d290 x -> x + 290 - 290
  case #d291 x -> x + 291 - 291
  case #d292 x -> x + 292 - 292
  case #d293 x -> x + 293 - 293
  case #d294 x -> x + 294 - 294
  case #d295 x -> x + 295 - 295
  case #d296 x -> x + 296 - 296
  case #d297 x -> x + 297 - 297
  case #d298 x -> x + 298 - 298
  case #d299 x -> x + 299 - 299
  case #link x y -> of_cell x + of_cell y

entry of_sum (is: []i64) : []i64 = map (\i -> of_sum_value (sum_of i)) is

entry of_cells (is: []i64) : []i64 = map (\i -> of_cell (cell_of i)) is

entry equal (i: i64) (j: i64) : bool = sum_of i == sum_of j
