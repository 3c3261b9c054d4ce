// How likely a token of o200k starts at a character, given the one before it. The figures were
// fitted once by linear programming: the smallest total over a few megabytes of text, code, data,
// logs and noise of which no sample is counted too low. Each letter is one figure, in base64 order.

/** Between two small letters: 26 rows for the first letter, 26 columns for the second. */
export const SMALL_PAIRS: string =
  "fAAA_CA_JNAAAA_ATACASANAA_Z_6_A_h_iA_E__G__LMDC___A_F_Q_B__KCvAAm_J_TBDAD___OA" +
  "L8_AB5D_Hm_U_cO__oH_G___ViFMDAMCDHW_qCBAiTDAAOFCCAOVB__WDO__B__CZ_A__BKAQ___V_" +
  "L___G_mAD_8DBPE__PBTPu__MHSm__A___T__e_VB__E_AO___T_QNAAAAA___NAAAAN_AAA_N_O_N" +
  "Q___B_________K___L_D_U___R___B_ADF_-L_QE___R_NsF_F_GfeNABN_FveCa_CV__ABHC__A_" +
  "EA_RA_C_K__CO_CC__BUF_____E2OABLARY_RWMBCJ__PABHw_Q_NAFN_AE3WYBAJADA_AABAANDAH" +
  "B_XBA__AF__BQZAO_OAAF_qAA_________M___________A_____RnCAAZA_DvAHCHBi_BBAQCd_Np" +
  "F_OzFe_EH_GfL_HFeDAACi__DTL_VLCPtAC_pCMaBO_PBODs_mOoLNEOPNN_BW_EAB_A_ADM___O__" +
  "B___A_j_X_____F__Zd_____i_L_syC__AR____OR__CB___O_Q9G_e_F___J__-___P___A______" +
  "fi_zP___G__B_NCB__CD__a_c_E___A___E_bu_X________b_Am";

/** The same between two capitals. */
export const CAPITAL_PAIRS: string =
  "rAPB__s_J__AAA_AhABAL6_AACesDQF___QY_E__J_qMO_H_1oB_TQS_BUnPFrAH__DHt_-A_____m" +
  "4__RD___K_jbDrK_-l__r____srSDBuMI_b__eBAVbaAFF_PhCW_A_H__A7_C_____M_vC_Aov____" +
  "R___C__Ei_sBP__z_M__y_U__vG_q_A_____ku__JW___D__DC__Q9AAGrB____AAAA__BPArA_B_Q" +
  "________W__Y__F___Y___R__vop__f_aCY____s____Y___F___K_LaA_g_I_HC__B__RrFF_____" +
  "CDbUQ___E_pA__LI__Xc___l__Z_GBFSA_W4_E__Ci_hCCWG__A_icCJ_DM_ouAAFAdD_ALBCBN__3" +
  "F_C_F_bmH___m_D__GTBC_qw___________4_F____C___B___v_OYSGAJruH__CFMCV_E_BI_J_y_" +
  "n_KEC__VL___auXDg_BAE_iZ_rJ_Z0T6_AM__TGOZB_ETIOYc_E__BkAAfk_U__A_ApA_AAAc_7___" +
  "D_b_C___O-_________-________tBDc_AG_R_G____ACR________R_h___S____gVIv_SD_I__A_" +
  "W_________x__M_f_______c_0t___F___E______v____bx6___";

/** A small letter after a capital. */
export const AFTER_CAPITAL: string = "EjkLBIYYX-5fGCCV_CBESz5IE7";

/** One row for each kind of character before, one column for each kind of character itself. */
export const KIND_PAIRS: string =
  "fffAeffeefffecefeeeefeeeeefefeeeeeeefef" +
  "ffADeffeffeeeeeefffffeeffeeefeeeeefffef" +
  "ee7fAA7Mq7SPUj77SBF2WkKB7Zmd77cBs7NWaiC" +
  "co7ALA7EdMBfBy7BOBBFoBBfQBBBfBcCB7BMRJf" +
  "ccyAAQfBEYdffBBBKBfWBN7fC7EfB7fBf7CBOIf" +
  "QQ7AANff7BfffViB7ffbB4BfffBB7NfBfBBB7Qf" +
  "fffCfffffffffffffffdfffffffffffffffffff" +
  "TWfCfffffffffffffffffffffffffffffffffff" +
  "MfdAfffdffdddfddfddfffdddfffffdfffdffff" +
  "fffCfffffefddffddffdfffdddfddedfddfeffd" +
  "efeAffffYffddfLSZfGffLFcfAfffBPfdbfdfdd" +
  "eeeDAffVYQKXffNCfIGXVPGRUVGfbfZLSaWdPOQ" +
  "ZeeDWffEVASfffdddfMcfYNfffdfdffdddfWfdd" +
  "efeAWffdffNddXFedfGdHMYdfddfdfSddCdEfdd" +
  "bWeDfffffffPffHJddffNddQdUffYfVddffdfdd" +
  "UXdAfffSfEddAdDUdfMfdddfddfdffffdddfddd" +
  "ZeeDGffffABEfCfAFIARHIABDfEGGFHEfNbffHK" +
  "QVfDAffAGZAfWAGAEAdBGAXAGddaBBFdffAAfdG" +
  "cffDAfffXBXfKVZGWQGLAfAAJCffdNNKSORHKRf" +
  "eefDAffffbbdfbCCAdGRIDefdEfecbddffeddVd" +
  "cfeDFfffTSLdfPSKdADfdEfffAfdfSfcdfdfedd" +
  "effDAffdcQWdXfRWWfJfQdedfddffRddfSdQfdd" +
  "LffAJffdXdCfcffffdFAfLfWffBfdFeedfdfQdf" +
  "DBfDAfffTSWHfMWKMOBfBGPfFWdKYFEWffSffdW" +
  "RUeAGdfdaONKaeOfHEUQPGRefffUAMcbOGeAddJ" +
  "XQeeAffdfRGffGCYIfNNQHBdSAddKfHbHfbfdfd" +
  "XffAAffdffdfWTHQdfDGcAfDKddfffOfdddfdDd" +
  "aUeAFffAfPCddCIfddfWfAfdAHIIdGfddJeefdd" +
  "OWeBIffCDfEDWfAdadfDPEPdfBAJLAEdfPfAfKH" +
  "fYeAAffdPfVfDWEKHfBffIXSAMCFdRKaffOeFLf" +
  "SffAAfffHLLffaFDffMfffBbEePAdPMfdNfdffd" +
  "ffeAdfffbdZdddTdddedddXddfffDLYfdeffddd" +
  "YfeAAffeLMfHdAUdFbLCPNBddfdddTfGLPIfddd" +
  "WffDIfffHfedfUeedddfOJbfdddddeJedfedddf" +
  "ffeAAffVffdISOLDDEITRCGEFJRedAOOFUfICXf" +
  "ffeDSffdfddffeffdfdVWffddAfddDfdXfdWdfd" +
  "FCfAAfffZfGGfOELAfCffTEGdLdddXYWfAdGVff" +
  "eefDHfffKdAYdMWRddBfHaaOQffdfOODfQHGfUd" +
  "eeeDAffdAfPfdfcdYdfYaAfdffffLXKddfdNGJf" +
  "ffeDAfffddefdNVfdffGffdffNfdfeKddfddAdf" +
  "dfdAAdfNVfDZSPfCffJRDHJEFCfEINBffWDCFPd" +
  "efeDdfffffdddefddddNfFffdfdffdfdfdfdfdf" +
  "efeAAfffJddfffcdffdcddDdddffdGfdfffKdff" +
  "fffAGfffBdffWZddfddfddddfdfddfBdfddffdf" +
  "ffdAAffffdSSfWfEdfLROCZffWYWZcadfaSEfff" +
  "fdfDGfffQfdfffddffdfdddfffffdUfdfdfCfdf" +
  "ffdAffffAdffffddfffddbdfffffddddfffEfff" +
  "ISeACffAHfSGDEfXGNBGEQfdGdddPHIffLfffed";
